import { chooseCompact, useCompact } from "./density.ts";
import { Icon } from "./icon.tsx";

/** Switches the rows of every list between comfortable and compact; this browser remembers it. */
export function DensitySwitch() {
  const isCompact = useCompact();
  return (
    <button
      type="button"
      className="btn btn--line btn--sm density-switch"
      aria-pressed={isCompact}
      onClick={() => chooseCompact(!isCompact)}
    >
      <Icon name="rows" />
      Compact
    </button>
  );
}
