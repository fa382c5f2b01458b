import { Dialog } from "@base-ui/react/dialog";
import { type KeyboardEvent, useId, useState } from "react";
import { useNavigate } from "react-router";
import { Icon } from "../../ui/icon.tsx";
import { type Choice, useChoices } from "./use-choices.ts";

export interface PaletteProps extends SearchProps {
  open: boolean;
}

interface SearchProps {
  /** what is typed; some of it before this script was there */
  typed: string;
  onType: (text: string) => void;
  onClose: () => void;
}

/** Goes to a page, a tool or an order by a few letters. Arrow keys choose, Enter goes, Escape closes. */
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

function Search({ typed, onType, onClose }: SearchProps) {
  const [at, setAt] = useState(0);
  const choices = useChoices(typed);
  const navigate = useNavigate();
  const list = useId();
  const current = Math.min(at, choices.length - 1);

  function go(choice: Choice | undefined) {
    if (!choice) return;
    onClose();
    navigate(choice.to);
  }

  function onKey(event: KeyboardEvent<HTMLInputElement>) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      setAt((current + step + choices.length) % Math.max(1, choices.length));
    }
    if (event.key === "Enter") go(choices[current]);
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
            setAt(0);
          }}
        />
      </div>
      <div className="palette__list" role="listbox" id={list} aria-label="Where to go">
        {choices.map((choice, index) => (
          // the field keeps the focus and tells which one is chosen; a press is for the pointer
          <div
            key={choice.to}
            id={`${list}-${index}`}
            role="option"
            aria-selected={index === current}
            ref={index === current ? (row) => row?.scrollIntoView({ block: "nearest" }) : undefined}
            onPointerMove={() => setAt(index)}
            onClick={() => go(choice)}
          >
            <span>{choice.label}</span>
            <small>{choice.note}</small>
          </div>
        ))}
      </div>
      <p className={choices.length > 0 ? "vh" : "palette__none"} role="status">
        {choices.length > 0 ? placesIn(choices.length) : "Nothing fits. Try a name, an e-mail or a number."}
      </p>
    </>
  );
}

function placesIn(found: number): string {
  return found === 1 ? "1 place" : `${found} places`;
}
