import { useEffect, useRef, useState } from "react";
import { Button } from "../../components/button.tsx";
import { withLoadTimeout } from "../../performance/load-chunk.ts";
import type { QrShape } from "./qr-shape.ts";
import { RecoveryCodes } from "./recovery-codes.tsx";

export interface TotpSecret {
  totpURI: string;
  backupCodes: string[];
}

/** The secret for an authenticator app, as QR code, link and key, and the recovery codes. */
export function TotpSetup({ secret: { totpURI, backupCodes } }: { secret: TotpSecret }) {
  const key = new URL(totpURI).searchParams.get("secret");
  const instructions = useRef<HTMLParagraphElement>(null);
  // the focused form was removed
  useEffect(() => instructions.current?.focus(), []);
  return (
    <>
      <p className="soft" ref={instructions} tabIndex={-1}>
        Scan the code with an authenticator app, or enter the key there. Then enter the six digits it shows.
      </p>
      <div className="secret">
        <dl className="secret__ways">
          <div>
            <dt className="t-label">App on this device</dt>
            <dd>
              <a className="btn btn--line" href={totpURI}>
                Open in your app
              </a>
            </dd>
          </div>
          <div>
            <dt className="t-label">Setup key</dt>
            <dd className="mono">
              {/* shown in groups of four for typing; copied without spaces */}
              {key?.match(/.{1,4}/g)?.map((group, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the groups never move and may repeat
                <span className="four" key={index}>
                  {group}
                </span>
              ))}
            </dd>
          </div>
        </dl>
        <QrCode text={totpURI} label="QR code with the setup key" />
      </div>
      <RecoveryCodes codes={backupCodes} />
    </>
  );
}

interface QrCodeProps {
  text: string;
  label: string;
}

/** Loads the QR code library on demand, and shows a failure with Try again. */
function QrCode({ text, label }: QrCodeProps) {
  const [shape, setShape] = useState<QrShape | "failed" | null>(null);
  const [attempt, setAttempt] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` changes to load again
  useEffect(() => {
    let cancelled = false;
    withLoadTimeout(import("./qr-shape.ts")).then(
      ({ qrShapeOf }) => !cancelled && setShape(qrShapeOf(text)),
      () => !cancelled && setShape("failed"), // the same key is shown as text
    );
    return () => {
      cancelled = true;
    };
  }, [text, attempt]);

  function retry() {
    setShape(null);
    setAttempt((before) => before + 1);
  }

  if (shape === "failed") {
    return (
      <div className="qr qr--failed soft">
        <p role="status">The QR code could not be loaded.</p>
        <Button size="sm" onClick={retry}>
          Try again
        </Button>
      </div>
    );
  }
  return (
    <div className="qr">
      {shape && (
        <svg viewBox={`0 0 ${shape.size} ${shape.size}`} role="img" aria-label={label}>
          <path d={shape.path} />
        </svg>
      )}
    </div>
  );
}
