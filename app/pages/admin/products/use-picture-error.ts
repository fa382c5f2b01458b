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
  return address.startsWith("http:")
    ? "No picture can be shown from this address. Try it with https."
    : "No picture can be shown from this address. Buyers would see the mark of the store instead.";
}
