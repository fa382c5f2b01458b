import { lazy, Suspense, useEffect, useState } from "react";

const Palette = lazy(() => import("./palette.tsx"));

/** Opens the palette on Ctrl+K or Cmd+K; it is fetched at the first time. */
export function PaletteKey() {
  const [open, setOpen] = useState<boolean | null>(null);
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      event.preventDefault();
      setOpen((before) => !before);
    }
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
  if (open === null) return null;
  return (
    <Suspense>
      <Palette open={open} onClose={() => setOpen(false)} />
    </Suspense>
  );
}
