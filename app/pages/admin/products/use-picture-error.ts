import { useEffect, useState } from "react";

const PAUSE_MS = 500;

/** Tries a picture's address a moment after it was typed; what to say when nothing can be shown from there. */
export function usePictureError(address: string): string | undefined {
  const [failed, setFailed] = useState<string | null>(null);
  useEffect(() => {
    if (!/^(https?:\/\/.|\/[^/\\])/.test(address)) return;
    const image = new Image();
    const timer = setTimeout(() => {
      image.onerror = () => setFailed(address);
      image.src = address;
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      image.onerror = null;
    };
  }, [address]);
  if (!address || failed !== address) return undefined;
  const advice = address.startsWith("http:") ? "Try https." : "Buyers would see a placeholder.";
  return `This picture cannot be loaded. ${advice}`;
}
