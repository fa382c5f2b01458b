import { type ComponentProps, useState } from "react";
import { Button } from "./button.tsx";

interface ActionButtonProps extends Omit<ComponentProps<typeof Button>, "busy" | "onClick"> {
  onClick: () => Promise<unknown>;
}

/** A button that is busy until its action is done. */
export function ActionButton({ onClick, ...rest }: ActionButtonProps) {
  const [busy, setBusy] = useState(false);

  async function run() {
    setBusy(true);
    try {
      await onClick();
    } finally {
      setBusy(false);
    }
  }

  return <Button {...rest} busy={busy} onClick={run} />;
}
