import { Button } from "./button.tsx";
import { density } from "./remembered-choice.ts";

/** Compact or comfortable rows in all lists, remembered by this browser. */
export function DensitySwitch() {
  const isCompact = density.useValue() === "compact";
  return (
    <Button
      size="sm"
      icon="rows"
      className="density-switch"
      aria-pressed={isCompact}
      onClick={() => density.choose(isCompact ? "comfortable" : "compact")}
    >
      Compact
    </Button>
  );
}
