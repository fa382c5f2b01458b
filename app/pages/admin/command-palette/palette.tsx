import { Dialog } from "@base-ui/react/dialog";
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useState } from "react";
import { useNavigate } from "react-router";
import { Icon } from "../../../components/icon.tsx";
import { RotorMark } from "../../../components/spinner.tsx";
import { type PaletteItem, type PaletteItems, usePaletteItems } from "./use-palette-items.ts";

export interface PaletteProps extends SearchProps {
  open: boolean;
}

interface SearchProps {
  /** what is typed; some of it before this script was there */
  typed: string;
  /** Enter was pressed before this script was there */
  entered: boolean;
  onType: (text: string) => void;
  onClose: () => void;
}

/**
 * Goes to a page, a tool or an order by a few letters. Arrow keys choose, Enter goes (to what is found
 * first, once it is found), Escape closes.
 */
export default function Palette({ open, ...search }: PaletteProps) {
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && search.onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="scrim" />
        <Dialog.Popup className="dialog palette">
          <Dialog.Title className="vh">Go to a page, a tool or an order</Dialog.Title>
          <Search {...search} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Search({ typed, entered: enteredEarly, onType, onClose }: SearchProps) {
  // by its address: what is found moves the others down
  const [chosen, setChosen] = useState<string>();
  const answer = usePaletteItems(typed);
  const { choices, asking, found } = answer;
  const [entered, setEntered] = useState(enteredEarly);
  const navigate = useNavigate();
  const list = useId();
  const at = choices.findIndex(({ to }) => to === chosen);
  // once Enter was pressed, what is not found yet is chosen
  const current = entered ? -1 : Math.max(0, at);

  function go(choice: PaletteItem | undefined) {
    if (!choice) return;
    setEntered(false); // it may be opened again before it has closed
    onClose();
    navigate(choice.to);
  }

  const goToFirst = useEffectEvent(() => go(choices[0]));
  useEffect(() => {
    if (!entered) return;
    if (found > 0) goToFirst();
    else if (!asking) setEntered(false);
  }, [entered, found, asking]);

  function onKey(event: KeyboardEvent<HTMLInputElement>) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      setEntered(false);
      setChosen(choices[(current + step + choices.length) % Math.max(1, choices.length)]?.to);
    }
    if (event.key !== "Enter") return;
    if (asking && found === 0 && at < 0) setEntered(true);
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
          aria-label="Page, tool or order"
          placeholder="Page, tool, buyer or order"
          maxLength={100}
          autoComplete="off"
          value={typed}
          onKeyDown={onKey}
          onChange={(event) => {
            onType(event.target.value);
            setChosen(undefined);
            setEntered(false);
          }}
        />
        {asking && (
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
      <p className={choices.length > 0 && !answer.error ? "vh" : "palette__none"} role="status">
        {newsOf(answer)}
      </p>
    </>
  );
}

function newsOf({ choices, asking, found, error }: PaletteItems): string {
  if (asking) return "Searching";
  if (error) return error;
  if (choices.length === 0) return "No matching results. Try a name, an email or a number.";
  if (found === 0) return "No results here. Search the full lists below.";
  return found === 1 ? "1 place" : `${found} places`;
}
