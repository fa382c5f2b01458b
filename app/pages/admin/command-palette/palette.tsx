import { Dialog } from "@base-ui/react/dialog";
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useState } from "react";
import { useNavigate } from "react-router";
import { counted } from "../../../components/format.ts";
import { Icon } from "../../../components/icon.tsx";
import { RotorMark } from "../../../components/spinner.tsx";
import { type PaletteItem, type PaletteItems, usePaletteItems } from "./use-palette-items.ts";

export interface PaletteProps extends SearchProps {
  open: boolean;
}

interface SearchProps {
  /** the text, part of which may have been typed before this script was loaded */
  typed: string;
  /** Enter was pressed before this script was loaded */
  isEntered: boolean;
  onType: (text: string) => void;
  onClose: () => void;
}

/** Arrow keys select, Enter opens the selection (once results have arrived), Escape closes. */
export default function Palette({ open, ...search }: PaletteProps) {
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && search.onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="scrim" />
        <Dialog.Popup className="dialog palette">
          <Dialog.Title className="vh">Go to a page, a tool, a buyer or an order</Dialog.Title>
          <Search {...search} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Search({ typed, isEntered: wasEntered, onType, onClose }: SearchProps) {
  // by its address: new results shift the others
  const [chosen, setChosen] = useState<string>();
  const items = usePaletteItems(typed);
  const { choices, isSearching, found } = items;
  const [isEntered, setIsEntered] = useState(wasEntered);
  const navigate = useNavigate();
  const list = useId();
  const at = choices.findIndex(({ to }) => to === chosen);
  // after Enter, the first result is opened when it arrives
  const current = isEntered ? -1 : Math.max(0, at);

  function go(choice: PaletteItem | undefined) {
    if (!choice) return;
    setIsEntered(false); // it may be reopened before it has closed
    onClose();
    navigate(choice.to);
  }

  const goToFirst = useEffectEvent(() => go(choices[0]));
  useEffect(() => {
    if (!isEntered) return;
    if (found > 0) goToFirst();
    else if (!isSearching) setIsEntered(false);
  }, [isEntered, found, isSearching]);

  function onKey(event: KeyboardEvent<HTMLInputElement>) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      setIsEntered(false);
      setChosen(choices[(current + step + choices.length) % Math.max(1, choices.length)]?.to);
    }
    if (event.key !== "Enter") return;
    if (isSearching && found === 0 && at < 0) setIsEntered(true);
    else go(choices[current]);
  }

  return (
    <>
      <div className="palette__in">
        <Icon name="search" />
        <input
          role="combobox"
          aria-expanded="true"
          aria-controls={list}
          aria-activedescendant={choices[current] && `${list}-${current}`}
          aria-label="Page, tool, buyer or order"
          placeholder="Page, tool, buyer or order"
          maxLength={100}
          autoComplete="off"
          value={typed}
          onKeyDown={onKey}
          onChange={(event) => {
            onType(event.target.value);
            setChosen(undefined);
            setIsEntered(false);
          }}
        />
        {isSearching && (
          <span className="palette__wait late" aria-hidden="true">
            <RotorMark className="spin spin--sm" />
            Searching
          </span>
        )}
      </div>
      <div className="palette__list" role="listbox" id={list} aria-label="Where to go">
        {choices.map((choice, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names it in aria-activedescendant
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles Enter
          <div
            key={choice.to}
            id={`${list}-${index}`}
            role="option"
            aria-selected={index === current}
            ref={index === current ? (row) => row?.scrollIntoView({ block: "nearest" }) : undefined}
            onPointerMove={() => setChosen(choice.to)}
            onClick={() => go(choice)}
          >
            <span>{choice.label}</span>
            <small>{choice.note}</small>
          </div>
        ))}
      </div>
      <p className={choices.length > 0 && !items.error ? "vh" : "palette__none"} role="status">
        {statusOf(items)}
      </p>
    </>
  );
}

function statusOf({ choices, isSearching, found, error }: PaletteItems): string {
  if (isSearching) return "Searching";
  if (error) return error;
  if (choices.length === 0) return "No matching results. Try a name, an email or a number.";
  if (found === 0) return "No results here. Search the full lists below.";
  return counted(found, "place");
}
