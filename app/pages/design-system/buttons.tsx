import { Button, ButtonLink, IconButton } from "../../components/button.tsx";
import { ThemeSwitch } from "../../components/theme-switch.tsx";
import { Specimen } from "./specimen.tsx";

const looks = ["primary", "ink", "line", "danger", "danger-solid", "quiet"] as const;
const sizes = ["sm", "md", "lg"] as const;

export function Buttons() {
  return (
    <Specimen name="Buttons: sizes, with icon, busy, disabled" span={12}>
      {looks.map((look) => (
        <p key={look} className="specimen__row">
          {sizes.map((size) => (
            <Button key={size} look={look} size={size}>
              {look}
            </Button>
          ))}
          <Button look={look} icon="copy">
            With icon
          </Button>
          <Button look={look} busy>
            Busy
          </Button>
          <Button look={look} icon="copy" busy>
            Busy with icon
          </Button>
          <Button look={look} disabled>
            Disabled
          </Button>
          <ButtonLink look={look} to="/ui">
            Link
          </ButtonLink>
        </p>
      ))}
      <p className="specimen__row">
        <IconButton icon="copy" label="Copy" />
        <IconButton icon="remove" label="Remove" />
        <ThemeSwitch />
      </p>
    </Specimen>
  );
}
