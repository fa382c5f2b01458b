import { useRef, useState } from "react";
import { count, dollars } from "../../components/format.ts";
import { Picture } from "../../components/picture.tsx";
import { type CartRow, newRow, readPieces } from "./cart-rows.ts";
import { type SuggestedTool, useToolCombobox } from "./use-tool-combobox.tsx";

interface EntryRowProps {
  place: number;
  /** if the product has a line already: focuses it, with a message */
  findLine: (productId: string) => boolean;
  onAdd: (row: CartRow) => void;
}

/** The last row: an item number or name with suggestions, a quantity, and Enter adds it. */
export function EntryRow({ place, findLine, onAdd }: EntryRowProps) {
  const [quantity, setQuantity] = useState("");
  const quantityInput = useRef<HTMLInputElement>(null);
  const itemInput = useRef<HTMLInputElement>(null);
  const item = useToolCombobox(quantityInput, choose);
  const { typed, chosen } = item;

  function choose(tool: SuggestedTool) {
    if (findLine(tool._id)) return empty();
    item.setTool(tool);
    quantityInput.current?.focus();
  }

  function empty() {
    item.setTool(null);
    setQuantity("");
  }

  function add() {
    if (typed) {
      onAdd(
        newRow({
          ...(chosen ? { productId: chosen._id } : { text: typed }),
          quantity: quantity.trim() === "" ? (chosen?.minimum_order ?? "") : readPieces(quantity),
        }),
      );
      empty();
    }
    itemInput.current?.focus();
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
          data-editing={item.input.value ? true : undefined}
          aria-label="Item number or name, new line"
          placeholder="Item or name"
          {...item.input}
        />
        {item.renderList("entry-list", "", (tool) => (
          <>
            <Picture src={tool.picture} alt="" />
            <small>{tool.itemNumber}</small>
            <b>
              <Marked text={tool.name} part={typed} />
            </b>
            <small>
              from {count(tool.minimum_order)}
              {tool.order_multiple ? `, by ${count(tool.order_multiple)}` : ""}
            </small>
            <small>{count(tool.quantity)} in stock</small>
            <b>{dollars(tool.price)}</b>
          </>
        ))}
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
          disabled={!typed}
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
