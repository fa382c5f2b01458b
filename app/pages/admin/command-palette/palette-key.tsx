import { type ComponentType, useEffect, useEffectEvent, useState } from "react";
import { Icon } from "../../../components/icon.tsx";
import { toast } from "../../../components/toast.ts";
import { withLoadTimeout } from "../../../performance/load-chunk.ts";
import type { PaletteProps } from "./palette.tsx";

/** Opens the palette on Ctrl+K or Cmd+K; it is loaded on first use, and keys typed meanwhile are kept. */
export function PaletteKey() {
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState("");
  const [isEntered, setIsEntered] = useState(false);
  const close = () => setOpen(false);
  const Palette = usePalette(open, close, () => setOpen(true));

  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      event.preventDefault();
      setTyped("");
      setIsEntered(false);
      setOpen((before) => !before);
    }
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
  useEarlyKeys(open, {
    onType: (how) => {
      setTyped(how);
      setIsEntered(false);
    },
    onEnter: () => setIsEntered(true),
    onClose: close,
  });

  if (!Palette) return open && <Opening typed={typed} />;
  const early = isEntered && typed.trim() !== "";
  return <Palette open={open} typed={typed} isEntered={early} onType={setTyped} onClose={close} />;
}

/** Renders the palette once it is loaded. If that fails, shows a toast. */
function usePalette(
  wanted: boolean,
  onLost: () => void,
  onRetry: () => void,
): ComponentType<PaletteProps> | undefined {
  const [Palette, setPalette] = useState<ComponentType<PaletteProps>>();
  const lose = useEffectEvent(() => {
    onLost();
    toast.error("The command palette could not be loaded.", { label: "Try again", onPress: onRetry });
  });
  useEffect(() => {
    if (!wanted || Palette) return;
    let isLeft = false;
    withLoadTimeout(import("./palette.tsx")).then(
      (script) => setPalette(() => script.default),
      () => !isLeft && lose(),
    );
    return () => {
      isLeft = true;
    };
  }, [wanted, Palette]);
  return Palette;
}

interface EarlyKeys {
  onType: (how: (before: string) => string) => void;
  onEnter: () => void;
  onClose: () => void;
}

/** While the palette is open but not focused yet, keys go to it and not to the page. */
function useEarlyKeys(open: boolean, { onType, onEnter, onClose }: EarlyKeys) {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const { key } = event;
    if (document.activeElement?.closest(".palette") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (key.length === 1) onType((before) => before + key);
    else if (key === "Backspace") onType((before) => before.slice(0, -1));
    else if (key === "Escape") onClose();
    else if (key === "Enter") onEnter();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  useEffect(() => {
    if (!open) return;
    document.addEventListener("keydown", press, true);
    return () => document.removeEventListener("keydown", press, true);
  }, [open]);
}

function Opening({ typed }: { typed: string }) {
  return (
    <>
      <div className="scrim" />
      <div className="dialog palette" role="status">
        <div className="palette__in">
          <Icon name="search" />
          <span className="palette__early">{typed || "Opening"}</span>
        </div>
      </div>
    </>
  );
}
