import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { withPasskeys } from "../../data/load-passkeys.ts";

/** Signs in with a passkey; the functions are loaded on demand. */
export function PasskeyButton({ onRefusal }: { onRefusal: (message: string | null) => void }) {
  const [busy, setBusy] = useState(false);

  async function go() {
    setBusy(true);
    onRefusal(null);
    const outcome = await withPasskeys((keys) => keys.signInWithPasskey());
    setBusy(false);
    if (!outcome.ok) onRefusal(outcome.message);
  }

  return (
    <Button size="lg" block className="btn--google" busy={busy} onClick={go}>
      Continue with a passkey
    </Button>
  );
}
