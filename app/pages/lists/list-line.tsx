import { type KeyboardEvent, memo, useState } from "react";
import { Link } from "react-router";
import type { CheckedLine } from "../../../api/cart-calls.ts";
import type { SavedListLine } from "../../../api/list-calls.ts";
import { nextMultiple } from "../../../shop/pricing/rules.ts";
import { IconButton } from "../../components/button.tsx";
import { classNames } from "../../components/class-names.ts";
import { count, dollars } from "../../components/format.ts";
import { Icon } from "../../components/icon.tsx";
import { Picture } from "../../components/picture.tsx";
import { isOrderable } from "../cart/cart-rows.ts";
import { noticeOf } from "../cart/line-problem.ts";
import { lineCents } from "../orders/sum-cents.ts";
import { parsePieces } from "./parse-pieces.ts";

export interface LineActions {
  setQuantity: (productId: string, quantity: number) => void;
  select: (productId: string, selected: boolean) => void;
  remove: (productId: string) => void;
}

interface ListLineProps {
  /** from 0 */
  index: number;
  productId: string;
  quantity: number;
  checked: CheckedLine | undefined;
  /** `checked` is about another quantity */
  isStale: boolean;
  selected: boolean;
  actions: LineActions;
}

export const ListLine = memo(function ListLine(props: ListLineProps) {
  const { index, productId, quantity, checked, isStale, selected, actions } = props;
  const name = checked?.name ?? `line ${count(index + 1)}`;
  const notice = isStale ? null : noticeOf(checked);
  const noticeId = `note-${productId}`;
  const isExcluded = checked?.code !== undefined && checked.code !== "price_changed";
  const total = checked?.price === undefined ? null : checked.price * quantity;
  const by = checked?.orderMultiple && checked.orderMultiple > 1 ? `by ${count(checked.orderMultiple)}` : "";
  return (
    <tbody
      role="rowgroup"
      className={classNames("list-ln", notice && `is-${notice.kind}`)}
      data-line={productId}
    >
      <tr role="row">
        <td role="cell" className="list-n">
          <label className="check">
            <input
              type="checkbox"
              checked={selected}
              disabled={checked?.code === "archived"}
              onChange={({ target }) => actions.select(productId, target.checked)}
              aria-label={`Select ${name}`}
            />
          </label>
        </td>
        <td role="cell" className="list-no">
          {checked?.itemNumber}
        </td>
        <th role="rowheader" scope="row" className="list-tool">
          <div className="item">
            <span className="item__pic">{checked?.picture && <Picture src={checked.picture} alt="" />}</span>
            <div>
              <b>
                {checked?.name && checked.code !== "archived" ? (
                  <Link className="row-link" to={`/product/${productId}`}>
                    {checked.name}
                  </Link>
                ) : (
                  (checked?.name ?? " ")
                )}
              </b>
              <small>
                <span className="list-m">{[checked?.itemNumber, by].filter(Boolean).join(", ")}</span>
                <span className="list-d">{stockOf(checked)}</span>
              </small>
            </div>
          </div>
        </th>
        <td role="cell" className="r list-price">
          {checked?.price !== undefined && <b>{dollars(checked.price)}</b>}
          {checked?.price !== undefined &&
            checked.listPrice !== undefined &&
            checked.price < checked.listPrice && (
              <small>
                <span className="vh">list price </span>
                <s>{dollars(checked.listPrice)}</s>
              </small>
            )}
        </td>
        <td role="cell" className="list-qty">
          <Quantity
            {...props}
            name={name}
            by={by}
            noticeId={notice?.kind === "bad" && checked?.code !== "archived" ? noticeId : undefined}
          />
        </td>
        <td role="cell" className={classNames("r list-total", (isExcluded || isStale) && "is-out")}>
          {total === null ? "" : dollars(total)}
        </td>
        <td role="cell" className="list-x">
          <IconButton icon="close" label={`Remove ${name}`} onClick={() => actions.remove(productId)} />
        </td>
      </tr>
      {notice && (
        <tr role="row" className="list-note">
          <td role="cell" className="list-n" />
          <td role="cell" colSpan={6} id={noticeId}>
            <div className="list-strip">
              <Icon name={notice.kind === "save" ? "info" : "alert"} />
              <p>{notice.text}</p>
              <span className="list-fixes">
                {notice.fixes.map(({ label, change }, index) => (
                  <button
                    key={label}
                    type="button"
                    className={classNames(
                      "btn btn--sm",
                      index === 0 && notice.kind === "bad" ? "btn--ink" : "btn--line",
                    )}
                    aria-label={`${label}, ${name}`}
                    onClick={() =>
                      change?.quantity
                        ? actions.setQuantity(productId, change.quantity)
                        : actions.remove(productId)
                    }
                  >
                    {label}
                  </button>
                ))}
              </span>
            </div>
          </td>
        </tr>
      )}
    </tbody>
  );
});

interface QuantityProps extends ListLineProps {
  name: string;
  by: string;
  noticeId: string | undefined;
}

/** Enter commits and moves to the next line; blur commits; Escape restores the quantity. */
function Quantity({ productId, quantity, checked, actions, name, by, noticeId }: QuantityProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const multiple = checked?.orderMultiple ?? 1;
  const problemId = `quantity-${productId}`;

  function commit(): boolean {
    if (typed === null) return true;
    const pieces = parsePieces(typed);
    if (typeof pieces === "string") {
      setProblem(pieces);
      return false;
    }
    setTyped(null);
    setProblem(null);
    if (pieces !== quantity) actions.setQuantity(productId, pieces);
    return true;
  }

  function step(direction: 1 | -1) {
    setTyped(null);
    setProblem(null);
    const next = nextMultiple(quantity, multiple, direction);
    actions.setQuantity(productId, Math.max(checked?.minimumOrder ?? multiple, next));
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter" && commit()) focusNext(event.currentTarget);
    else if (event.key === "Escape") {
      setTyped(null);
      setProblem(null);
    } else if (event.key === "ArrowUp" || event.key === "ArrowDown") {
      event.preventDefault();
      step(event.key === "ArrowUp" ? 1 : -1);
    }
  }

  return (
    <>
      <span className="list-qbox">
        <button type="button" tabIndex={-1} aria-label={`Fewer, ${name}`} onClick={() => step(-1)}>
          <Icon name="minus" />
        </button>
        <input
          inputMode="numeric"
          autoComplete="off"
          maxLength={40}
          aria-label={`Quantity, ${name}`}
          aria-invalid={problem !== null || noticeId !== undefined}
          aria-describedby={problem ? problemId : noticeId}
          value={typed ?? count(quantity)}
          onChange={({ target }) => setTyped(target.value)}
          onFocus={({ target }) => target.select()}
          onBlur={() => void commit()}
          onKeyDown={onKeyDown}
        />
        <button type="button" tabIndex={-1} aria-label={`More, ${name}`} onClick={() => step(1)}>
          <Icon name="plus" />
        </button>
      </span>
      {by && <span className="list-by">{by}</span>}
      {problem && (
        <p className="list-problem" id={problemId} role="alert">
          {problem}
        </p>
      )}
    </>
  );
}

/** The quantity of the next line, or the entry row. */
function focusNext(from: Element) {
  const next = from.closest(".list-ln")?.nextElementSibling?.querySelector<HTMLElement>(".list-qty input");
  (next ?? document.getElementById("list-entry"))?.focus();
}

function stockOf(checked: CheckedLine | undefined): string {
  if (!checked || checked.code === "archived" || checked.stock === undefined) return "";
  return checked.stock === 0 ? "None in stock" : `${count(checked.stock)} in stock`;
}

/** The total of the lines that can be ordered, in cents. */
export function totalCentsOf(
  lines: readonly SavedListLine[],
  find: (line: SavedListLine) => CheckedLine | undefined,
) {
  return lines.reduce((sum, line) => {
    const checked = find(line);
    return sum + (isOrderable(checked) ? lineCents(line.quantity, checked.price) : 0);
  }, 0);
}
