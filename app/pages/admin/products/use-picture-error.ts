import { useEffect, useState } from "react";

const PAUSE_MS = 500;

/** Loads a picture's address after a pause in typing; returns a message if that fails. */
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
