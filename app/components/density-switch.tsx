import { Icon } from "./icon.tsx";
import { density } from "./remembered-choice.ts";

/** Compact or comfortable rows in all lists, remembered by this browser. */
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
