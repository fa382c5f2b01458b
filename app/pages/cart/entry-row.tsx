import { type KeyboardEvent, useId, useRef, useState } from "react";
import { count, dollars } from "../../components/format.ts";
import { Picture } from "../../components/picture.tsx";
import { type CartRow, newRow, readPieces } from "./cart-rows.ts";
import { type SuggestedTool, useToolSuggestions } from "./use-tool-suggestions.ts";

interface EntryRowProps {
  place: number;
  /** if the product has a line already: focuses it, with a message */
  findLine: (productId: string) => boolean;
  onAdd: (row: CartRow) => void;
}

/** The last row: an item number or name with suggestions, a quantity, and Enter adds it. */
export function EntryRow({ place, findLine, onAdd }: EntryRowProps) {
  const [text, setText] = useState("");
  const [quantity, setQuantity] = useState("");
  const [chosen, setChosen] = useState<SuggestedTool | null>(null);
  const [marked, setMarked] = useState(0);
  const [open, setOpen] = useState(false);
  const list = useId();
  const quantityInput = useRef<HTMLInputElement>(null);
  const itemInput = useRef<HTMLInputElement>(null);
  const tools = useToolSuggestions(open ? text.trim() : "");
  const isOpen = open && tools.length > 0;

  function choose(tool: SuggestedTool) {
    setOpen(false);
    if (findLine(tool._id)) return empty();
    setChosen(tool);
    setText(tool.itemNumber ?? tool.name);
    quantityInput.current?.focus();
  }

  function empty() {
    setText("");
    setQuantity("");
    setChosen(null);
    setOpen(false);
  }

  function add() {
    const typed = text.trim();
    if (!typed) return itemInput.current?.focus();
    onAdd(
      newRow({
        ...(chosen ? { productId: chosen._id } : { text: typed }),
        quantity: quantity.trim() === "" ? (chosen?.minimum_order ?? "") : readPieces(quantity),
      }),
    );
    empty();
    itemInput.current?.focus();
  }

  function onItemKey(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (isOpen && step) {
      event.preventDefault();
      event.stopPropagation();
      setMarked((now) => (now + step + tools.length) % tools.length);
    } else if (event.key === "Escape" && open) {
      event.stopPropagation();
      setOpen(false);
    } else if ((event.key === "Enter" || event.key === "Tab") && isOpen && !event.shiftKey) {
      event.preventDefault();
      event.stopPropagation();
      choose(tools[marked] as SuggestedTool);
    } else if (event.key === "Enter") {
      event.preventDefault();
      event.stopPropagation();
      if (text.trim()) quantityInput.current?.focus();
    }
  }

  return (
    <div role="row" aria-rowindex={place + 1} className="pad__row pad__row--entry" data-row="entry">
      <span role="rowheader" className="pad__n">
        {count(place)}
      </span>
      <span role="gridcell" className="pad__no is-open">
        <input
          ref={itemInput}
          id="cart-entry"
          className="pad__in"
          data-cell="item"
          data-editing={text ? true : undefined}
          role="combobox"
          aria-label="Item number or name, new line"
          aria-expanded={isOpen}
          aria-controls={isOpen ? list : undefined}
          aria-activedescendant={isOpen ? `${list}-${marked}` : undefined}
          aria-autocomplete="list"
          placeholder="Item or name"
          autoComplete="off"
          spellCheck={false}
          maxLength={300}
          value={text}
          onChange={({ target }) => {
            setText(target.value);
            setChosen(null);
            setMarked(0);
            setOpen(true);
          }}
          onKeyDown={onItemKey}
          onBlur={() => setOpen(false)}
        />
        {isOpen && (
          <div className="entry-list" role="listbox" id={list} aria-label="Tools">
            {tools.map((tool, at) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox has the keys
              <div
                key={tool._id}
                id={`${list}-${at}`}
                role="option"
                tabIndex={-1}
                aria-selected={at === marked}
                onPointerDown={(event) => event.preventDefault()}
                onClick={() => choose(tool)}
              >
                <Picture src={tool.picture} alt="" />
                <small>{tool.itemNumber}</small>
                <b>
                  <Marked text={tool.name} part={text.trim()} />
                </b>
                <small>
                  from {count(tool.minimum_order)}
                  {tool.order_multiple ? `, by ${count(tool.order_multiple)}` : ""}
                </small>
                <small>{count(tool.quantity)} in stock</small>
                <b>{dollars(tool.price)}</b>
              </div>
            ))}
          </div>
        )}
      </span>
      <span role="gridcell" className="pad__tool pad__ask">
        {chosen ? chosen.name : "Type a name, or paste rows"}
      </span>
      <span role="gridcell" className="pad__price">
        {chosen && <b>{dollars(chosen.price)}</b>}
      </span>
      <span role="gridcell" className="pad__qty">
        <input
          ref={quantityInput}
          className="pad__in"
          data-cell="quantity"
          data-editing={quantity ? true : undefined}
          aria-label="Quantity, new line"
          inputMode="numeric"
          autoComplete="off"
          placeholder={chosen ? count(chosen.minimum_order) : "Quantity"}
          maxLength={40}
          value={quantity}
          onChange={({ target }) => setQuantity(target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter") return;
            event.preventDefault();
            event.stopPropagation();
            add();
          }}
        />
      </span>
      <span role="gridcell" className="pad__total" />
      <span role="gridcell" className="pad__x">
        <button
          type="button"
          className="btn btn--ink btn--sm"
          data-cell="remove"
          disabled={!text.trim()}
          onClick={add}
        >
          Add
        </button>
      </span>
    </div>
  );
}

function Marked({ text, part }: { text: string; part: string }) {
  const at = part ? text.toLowerCase().indexOf(part.toLowerCase()) : -1;
  if (at < 0) return text;
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, at + part.length)}</mark>
      {text.slice(at + part.length)}
    </>
  );
}
