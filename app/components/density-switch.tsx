import { Icon } from "./icon.tsx";
import { density } from "./remembered-choice.ts";

/** Switches the rows of every list between comfortable and compact; this browser remembers it. */
export function DensitySwitch() {
  const isCompact = density.useValue() === "compact";
  return (
    <button
      type="button"
      className="btn btn--line btn--sm density-switch"
      aria-pressed={isCompact}
      onClick={() => density.choose(isCompact ? "comfortable" : "compact")}
    >
      <Icon name="rows" />
      Compact
    </button>
  );
}
