import type { ComponentProps } from "react";
import { useBusy } from "../data/use-busy.ts";
import { Button } from "./button.tsx";

interface ActionButtonProps extends Omit<ComponentProps<typeof Button>, "busy" | "onClick"> {
  onClick: () => Promise<unknown>;
}

/** A button that is busy until its action is done. */
export function ActionButton({ onClick, ...rest }: ActionButtonProps) {
  const [busy, run] = useBusy();
  return <Button {...rest} busy={busy} onClick={() => run(onClick)} />;
}
