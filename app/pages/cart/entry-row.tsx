import { type RefObject, useRef, useState } from "react";
import { MAX_LINES } from "../../../shop/cart/limits.ts";
import { count, counted, dollars } from "../../components/format.ts";
import { Picture } from "../../components/picture.tsx";
import type { GridKeys } from "../../components/use-grid-keys.ts";
import { toastFull } from "../../data/cart.ts";
import { type CartRow, newRow, readPieces } from "./cart-rows.ts";
import { focusExisting } from "./pad.tsx";
import { type SuggestedTool, useToolCombobox } from "./use-tool-combobox.tsx";

interface EntryRowProps {
  rows: readonly CartRow[];
  keysRef: RefObject<GridKeys | null>;
  /** what the rows are of, and whose limit applies */
  of: "cart" | "list";
  onAdd: (row: CartRow) => void;
}

/** The last row: an item number or name with suggestions, a quantity, and Enter adds it. */
export function EntryRow({ rows, keysRef, of: what, onAdd }: EntryRowProps) {
  const [quantity, setQuantity] = useState("");
  const quantityInput = useRef<HTMLInputElement>(null);
  const itemInput = useRef<HTMLInputElement>(null);
  const item = useToolCombobox(quantityInput, choose);
  const { typed, chosen } = item;
  const lineNumber = rows.length + 1;

  function choose(tool: SuggestedTool) {
    if (focusExisting(keysRef.current, rows, tool._id)) return clear();
    item.setTool(tool);
    quantityInput.current?.focus();
  }

  function clear() {
    item.setTool(null);
    setQuantity("");
  }

  function add() {
    if (typed) {
      if (rows.length >= MAX_LINES) return toastFull(what);
      onAdd(
        newRow({
          ...(chosen ? { productId: chosen._id } : { text: typed }),
          quantity: quantity.trim() === "" ? (chosen?.minimum_order ?? "") : readPieces(quantity),
        }),
      );
      clear();
    }
    itemInput.current?.focus();
  }

  return (
    <div role="row" aria-rowindex={lineNumber + 1} className="pad__row pad__row--entry" data-row="entry">
      <span role="rowheader" className="pad__n">
        {count(lineNumber)}
      </span>
      <span role="gridcell" className="pad__no is-open">
        <input
          ref={itemInput}
          id="line-entry"
          className="pad__in"
          data-cell="item"
          data-editing={item.input.value ? true : undefined}
          aria-label="Item number or name, new line"
          placeholder="Item or name"
          {...item.input}
        />
        {item.renderList((tool) => (
          <>
            <Picture src={tool.picture} alt="" />
            <small>{tool.itemNumber}</small>
            <b>
              <Highlight text={tool.name} match={typed} />
            </b>
            <small>
              from {count(tool.minimum_order)}
              {tool.order_multiple ? `, by ${count(tool.order_multiple)}` : ""}
            </small>
            <small>{count(tool.quantity)} in stock</small>
            <b>{dollars(tool.price)}</b>
          </>
        ))}
        <span className="vh" role="status">
          {item.count > 0 && counted(item.count, "suggestion")}
        </span>
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

function Highlight({ text, match }: { text: string; match: string }) {
  const start = match ? text.toLowerCase().indexOf(match.toLowerCase()) : -1;
  if (start < 0) return text;
  return (
    <>
      {text.slice(0, start)}
      <mark>{text.slice(start, start + match.length)}</mark>
      {text.slice(start + match.length)}
    </>
  );
}
