import { Chip } from "../../components/chip.tsx";
import { focusHeading } from "../../components/focus-heading.ts";
import { Icon } from "../../components/icon.tsx";
import type { ListParams } from "../../data/use-list-params.ts";

interface FilterChipsProps {
  active: { name: string; label: string }[];
  params: ListParams;
}

/** The active filters of a list, each with a button that removes it. */
export function FilterChips({ active, params }: FilterChipsProps) {
  if (active.length === 0) return null;
  return (
    <fieldset className="chips">
      <legend className="vh">Active filters</legend>
      {active.map(({ name, label }) => (
        <Chip
          key={name}
          aria-label={`Remove the filter ${label}`}
          onClick={({ currentTarget: { nextElementSibling, previousElementSibling } }) => {
            const siblings = [nextElementSibling, previousElementSibling];
            const sibling = siblings.find((element) => element instanceof HTMLButtonElement);
            if (sibling) sibling.focus();
            else focusHeading();
            params.set({ [name]: undefined });
          }}
        >
          {label}
          <Icon name="close" />
        </Chip>
      ))}
    </fieldset>
  );
}
