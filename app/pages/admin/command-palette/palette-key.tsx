import { type ComponentType, useEffect, useEffectEvent, useState } from "react";
import { Icon } from "../../../components/icon.tsx";
import { toast } from "../../../components/toast.ts";
import { useListener } from "../../../components/use-listener.ts";
import { withLoadTimeout } from "../../../performance/load-chunk.ts";
import type { PaletteProps } from "./palette.tsx";

/** Opens the palette on Ctrl+K or Cmd+K; it is loaded on first use, and keys typed meanwhile are kept. */
export function PaletteKey() {
  const [open, setOpen] = useState(false);
  const [query, setQuery] = useState("");
  const [isEnterPressed, setIsEnterPressed] = useState(false);
  const close = () => setOpen(false);
  const Palette = usePalette(open, close, () => setOpen(true));

  useListener("keydown", (event) => {
    if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey) return;
    event.preventDefault();
    setQuery("");
    setIsEnterPressed(false);
    setOpen((before) => !before);
  });
  useKeysBeforeFocus(open, {
    onType: (update) => {
      setQuery(update);
      setIsEnterPressed(false);
    },
    onEnter: () => setIsEnterPressed(true),
    onClose: close,
  });

  if (!Palette) return open && <PaletteLoading query={query} />;
  const opensFirst = isEnterPressed && query.trim() !== "";
  return <Palette open={open} query={query} isEnterPressed={opensFirst} onType={setQuery} onClose={close} />;
}

/** Renders the palette once it is loaded. If that fails, shows a toast. */
function usePalette(
  isOpen: boolean,
  onLoadFailed: () => void,
  onRetry: () => void,
): ComponentType<PaletteProps> | undefined {
  const [Palette, setPalette] = useState<ComponentType<PaletteProps>>();
  const handleFailure = useEffectEvent(() => {
    onLoadFailed();
    toast.error("The command palette could not be loaded.", { label: "Try again", onPress: onRetry });
  });
  useEffect(() => {
    if (!isOpen || Palette) return;
    let isCancelled = false;
    withLoadTimeout(import("./palette.tsx")).then(
      (module) => setPalette(() => module.default),
      () => !isCancelled && handleFailure(),
    );
    return () => {
      isCancelled = true;
    };
  }, [isOpen, Palette]);
  return Palette;
}

interface KeyHandlers {
  onType: (update: (before: string) => string) => void;
  onEnter: () => void;
  onClose: () => void;
}

/** While the palette is open but not focused yet, keys go to it and not to the page. */
function useKeysBeforeFocus(open: boolean, { onType, onEnter, onClose }: KeyHandlers) {
  function onKeyDown(event: KeyboardEvent) {
    const { key } = event;
    if (!open || document.activeElement?.closest(".palette")) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (key.length === 1) onType((before) => before + key);
    else if (key === "Backspace") onType((before) => before.slice(0, -1));
    else if (key === "Escape") onClose();
    else if (key === "Enter") onEnter();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
  useListener("keydown", onKeyDown, true);
}

function PaletteLoading({ query }: { query: string }) {
  return (
    <>
      <div className="scrim" />
      <div className="dialog palette" role="status">
        <div className="palette__in">
          <Icon name="search" />
          <span className="palette__early">{query || "Opening"}</span>
        </div>
      </div>
    </>
  );
}
