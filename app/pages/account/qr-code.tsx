import { useEffect, useState } from "react";
import { Button } from "../../components/button.tsx";
import { withLoadTimeout } from "../../performance/load-chunk.ts";
import type { QrShape } from "./qr-shape.ts";

interface QrCodeProps {
  text: string;
  label: string;
}

/** Loads the QR code library on demand. Reserves the space, and reports a failure. */
export function QrCode({ text, label }: QrCodeProps) {
  const [shape, setShape] = useState<QrShape | "failed" | null>(null);
  const [attempt, setAttempt] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt loads again
  useEffect(() => {
    let gone = false;
    withLoadTimeout(import("./qr-shape.ts")).then(
      ({ qrShapeOf }) => !gone && setShape(qrShapeOf(text)),
      () => !gone && setShape("failed"), // the same key is shown as text
    );
    return () => {
      gone = true;
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
