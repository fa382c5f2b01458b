import { Dialog } from "@base-ui/react/dialog";
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useRef, useState } from "react";
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
  query: string;
  /** Enter was pressed before this script was loaded */
  isEnterPressed: boolean;
  onType: (text: string) => void;
  onClose: () => void;
}

/** Arrow keys select, Enter opens the selection (once results have arrived), Escape closes. */
export default function Palette({ open, ...search }: PaletteProps) {
  const isLeaving = useRef(false);
  useEffect(() => {
    if (open) isLeaving.current = false;
  }, [open]);
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && search.onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="scrim" />
        {/* back on its element of a page that is left, a second Enter would press it: it would ship an order */}
        <Dialog.Popup className="dialog palette" finalFocus={() => !isLeaving.current}>
          <Dialog.Title className="vh">Go to a page, a tool, a buyer or an order</Dialog.Title>
          <Search
            {...search}
            onLeave={() => {
              isLeaving.current = true;
            }}
          />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Search(props: SearchProps & { onLeave: () => void }) {
  const { query, isEnterPressed: wasEnterPressed, onType, onClose, onLeave } = props;
  // not the index, since new results shift the others
  const [chosenPath, setChosenPath] = useState<string>();
  const items = usePaletteItems(query);
  const { choices, isSearching, resultCount } = items;
  const [isEnterPressed, setIsEnterPressed] = useState(wasEnterPressed);
  const navigate = useNavigate();
  const listId = useId();
  const chosenIndex = choices.findIndex(({ to }) => to === chosenPath);
  // after Enter, the first result is opened when it arrives
  const activeIndex = isEnterPressed ? -1 : Math.max(0, chosenIndex);

  function open(choice: PaletteItem | undefined) {
    if (!choice) return;
    setIsEnterPressed(false); // it may be reopened before it has closed
    onLeave();
    onClose();
    navigate(choice.to);
  }

  const openFirst = useEffectEvent(() => open(choices[0]));
  useEffect(() => {
    if (!isEnterPressed) return;
    if (resultCount > 0) openFirst();
    else if (!isSearching) setIsEnterPressed(false);
  }, [isEnterPressed, resultCount, isSearching]);

  function onKey(event: KeyboardEvent<HTMLInputElement>) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      setIsEnterPressed(false);
      setChosenPath(choices[(activeIndex + step + choices.length) % Math.max(1, choices.length)]?.to);
    }
    if (event.key !== "Enter") return;
    if (isSearching && resultCount === 0 && chosenIndex < 0) setIsEnterPressed(true);
    else open(choices[activeIndex]);
  }

  return (
    <>
      <div className="palette__in">
        <Icon name="search" />
        <input
          role="combobox"
          aria-expanded="true"
          aria-controls={listId}
          aria-activedescendant={choices[activeIndex] && `${listId}-${activeIndex}`}
          aria-label="Page, tool, buyer or order"
          placeholder="Page, tool, buyer or order"
          maxLength={100}
          autoComplete="off"
          value={query}
          onKeyDown={onKey}
          onChange={(event) => {
            onType(event.target.value);
            setChosenPath(undefined);
            setIsEnterPressed(false);
          }}
        />
        {isSearching && (
          <span className="palette__wait late" aria-hidden="true">
            <RotorMark className="spin spin--sm" />
            Searching
          </span>
        )}
      </div>
      <div className="palette__list" role="listbox" id={listId} aria-label="Where to go">
        {choices.map((choice, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names it in aria-activedescendant
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles Enter
          <div
            key={choice.to}
            id={`${listId}-${index}`}
            role="option"
            aria-selected={index === activeIndex}
            ref={index === activeIndex ? (row) => row?.scrollIntoView({ block: "nearest" }) : undefined}
            onPointerMove={() => setChosenPath(choice.to)}
            onClick={() => open(choice)}
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

function statusOf({ choices, isSearching, resultCount, error }: PaletteItems): string {
  if (isSearching) return "Searching";
  if (error) return error;
  if (choices.length === 0) return "No matching results. Try a name, an email or a number.";
  if (resultCount === 0) return "No results here. Search the full lists below.";
  return counted(resultCount, "place");
}
