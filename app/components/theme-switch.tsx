import { Icon } from "./icon.tsx";
import { theme } from "./remembered-choice.ts";

const after = { system: "light", light: "dark", dark: "system" } as const;
const labels = { system: "as the system", light: "light", dark: "dark" };

/** Cycles through system, light and dark. All three icons are in the HTML; CSS shows one. */
export function ThemeSwitch() {
  const current = theme.useValue();
  const label = `Theme: ${labels[current]}. Switch to ${labels[after[current]]}`;
  return (
    <button
      type="button"
      className="icon-btn theme-switch"
      aria-label={label}
      title={label}
      onClick={() => theme.choose(after[current])}
    >
      <Icon name="system" className="theme-switch__system" />
      <Icon name="sun" className="theme-switch__light" />
      <Icon name="moon" className="theme-switch__dark" />
    </button>
  );
}
