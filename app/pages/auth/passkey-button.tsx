import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { withPasskeys } from "../../data/load-passkeys.ts";

/** Logs in with a passkey; what that needs is loaded when the button is pressed. */
export function PasskeyButton({ onRefusal }: { onRefusal: (message: string | null) => void }) {
  const [busy, setBusy] = useState(false);

  async function go() {
    setBusy(true);
    onRefusal(null);
    const answer = await withPasskeys((keys) => keys.signInWithPasskey());
    setBusy(false);
    if (!answer.ok) onRefusal(answer.message);
  }

  return (
    <Button size="lg" block className="btn--google" busy={busy} onClick={go}>
      Continue with a passkey
    </Button>
  );
}
