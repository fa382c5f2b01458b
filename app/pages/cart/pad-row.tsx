import { memo } from "react";
import { Link } from "react-router";
import type { CheckedLine } from "../../../api/cart-calls.ts";
import { nextMultiple } from "../../../shop/pricing/rules.ts";
import { classNames } from "../../components/class-names.ts";
import { count, dollars } from "../../components/format.ts";
import { Icon, type IconName } from "../../components/icon.tsx";
import { PadCell } from "../../components/pad-cell.tsx";
import { Picture } from "../../components/picture.tsx";
import { type CartRow, isOrderable, readPieces } from "./cart-rows.ts";
import { type Fix, type LineNotice, noticeOf } from "./line-problem.ts";

export interface RowActions {
  /** without it, item numbers cannot be edited */
  setText?: (row: CartRow, text: string) => void;
  setQuantity: (row: CartRow, quantity: number | string) => void;
  applyFix: (row: CartRow, fix: Fix) => void;
  remove: (row: CartRow) => void;
  select?: (row: CartRow, isSelected: boolean) => void;
}

interface PadRowProps {
  /** index among all rows of the cart */
  index: number;
  row: CartRow;
  line: CheckedLine | undefined;
  isStale: boolean;
  /** undefined without checkboxes */
  isSelected?: boolean | undefined;
  actions: RowActions;
}

const noticeIcons: Record<LineNotice["kind"], IconName> = { bad: "alert", warn: "alert", save: "info" };

export const PadRow = memo(function PadRow(props: PadRowProps) {
  const { index, row, line, isStale, isSelected, actions } = props;
  const notice = isStale && !line ? null : noticeOf(line);
  const noticeId = `strip-${row.key}`;
  const isBad = notice?.kind === "bad";
  const name = line?.name ?? row.text ?? "this line";
  const isAboutText = line?.code === "unknown";
  // on a phone, a found or unknown text that cannot be edited is at the tool
  const isOpen = !row.productId && (actions.setText || !line);
  const multiple = line?.orderMultiple ?? 1;
  const by = multiple > 1 ? `by ${count(multiple)}` : "";
  const total = totalOf(row, line);

  function step(direction: 1 | -1, typed: string | null = null) {
    const from = readPieces(typed ?? `${row.quantity}`);
    const next = nextMultiple(Number.parseInt(`${from}`, 10) || 0, multiple, direction);
    actions.setQuantity(row, Math.max(line?.minimumOrder ?? multiple, next));
  }

  return (
    <>
      <div
        role="row"
        aria-rowindex={index + 2}
        className={classNames("pad__row", notice && `is-${notice.kind}`)}
      >
        <span role="rowheader" className="pad__n">
          {isSelected === undefined ? (
            count(index + 1)
          ) : (
            <label className="check">
              <input
                type="checkbox"
                data-cell="select"
                tabIndex={-1}
                aria-label={`Select ${name}`}
                checked={isSelected}
                disabled={line?.code === "archived" || row.key !== row.productId}
                onChange={({ target }) => actions.select?.(row, target.checked)}
              />
            </label>
          )}
        </span>
        <span role="gridcell" className={classNames("pad__no", isOpen && "is-open")}>
          {actions.setText ? (
            <PadCell
              column="item"
              label={`Item number, line ${index + 1}`}
              value={(row.productId ? line?.itemNumber : row.text) ?? ""}
              problem={isBad && isAboutText ? noticeId : undefined}
              onCommit={(text) => text && actions.setText?.(row, text)}
            />
          ) : (
            <span className="pad__text">{line?.itemNumber ?? row.text}</span>
          )}
        </span>
        <span role="gridcell" className="pad__tool">
          <span className="pad__pic">
            {line?.picture ? <Picture src={line.picture} alt="" /> : line && "?"}
          </span>
          {line ? (
            <span className="pad__name">
              {line.productId && line.code !== "archived" ? (
                <Link to={`/product/${line.productId}`} tabIndex={-1}>
                  {line.name}
                </Link>
              ) : (
                <b>{line.name ?? "Not found"}</b>
              )}
              <small>
                <span className="pad__repeat">{[line.itemNumber, by].filter(Boolean).join(", ")}</span>
                {noteOf(row, line)}
              </small>
            </span>
          ) : (
            <span className="pad__skeleton" role="img" aria-label="Loading" />
          )}
        </span>
        <span role="gridcell" className="pad__price">
          {line?.price !== undefined && (
            <>
              <b>{dollars(line.price)}</b>
              {line.priceFrom !== undefined && (
                <small>
                  {count(line.priceFrom)}+ <span className="vh">instead of</span>{" "}
                  <s>{dollars(line.listPrice ?? line.price)}</s>
                </small>
              )}
            </>
          )}
        </span>
        <span role="gridcell" className="pad__qty">
          {by && <small>{by}</small>}
          <button type="button" tabIndex={-1} aria-label={`Fewer, ${name}`} onClick={() => step(-1)}>
            <Icon name="minus" />
          </button>
          <PadCell
            column="quantity"
            label={`Quantity, ${name}`}
            numeric
            value={typeof row.quantity === "number" ? count(row.quantity) : row.quantity}
            problem={isBad && !isAboutText ? noticeId : undefined}
            onCommit={(typed) => actions.setQuantity(row, readPieces(typed))}
            onStep={step}
          />
          <button type="button" tabIndex={-1} aria-label={`More, ${name}`} onClick={() => step(1)}>
            <Icon name="plus" />
          </button>
        </span>
        <span role="gridcell" className={classNames("pad__total", !isOrderable(line) && "is-out")}>
          {total !== null && dollars(total)}
        </span>
        <span role="gridcell" className="pad__x">
          <button
            type="button"
            className="icon-btn"
            data-cell="remove"
            tabIndex={-1}
            aria-label={`Remove ${name}`}
            onClick={() => actions.remove(row)}
          >
            <Icon name="close" />
          </button>
        </span>
      </div>
      {notice && (
        <div role="row" className={`pad__note pad__note--${notice.kind}`}>
          <span role="gridcell" className="strip">
            <Icon name={noticeIcons[notice.kind]} />
            <span id={noticeId}>{notice.text}</span>
            <span className="fixes">
              {notice.fixes.map((fix, index) => (
                <FixControl
                  key={fix.label}
                  fix={fix}
                  index={index}
                  notice={notice}
                  row={row}
                  name={name}
                  actions={actions}
                />
              ))}
            </span>
          </span>
        </div>
      )}
    </>
  );
});

interface FixControlProps {
  fix: Fix;
  index: number;
  notice: LineNotice;
  row: CartRow;
  name: string;
  actions: RowActions;
}

function FixControl({ fix, index, notice, row, name, actions }: FixControlProps) {
  const props = {
    className: classNames("fix", index === 0 && notice.kind === "bad" && fix.change && "fix--first"),
    "data-cell": `fix-${index}`,
    tabIndex: -1,
    "aria-label": [fix.label, fix.detail, name].filter(Boolean).join(", "),
  };
  if (fix.to)
    return (
      <Link {...props} to={fix.to}>
        {fix.label}
      </Link>
    );
  return (
    <button type="button" {...props} onClick={() => actions.applyFix(row, fix)}>
      {fix.label} {fix.detail && <small>{fix.detail}</small>}
    </button>
  );
}

/** The store's total; while a check is pending, the quantity at the last price. */
function totalOf({ quantity }: CartRow, line: CheckedLine | undefined): number | null {
  if (line?.price === undefined || typeof quantity !== "number") return null;
  return line.quantity === quantity ? (line.total ?? null) : (Math.round(line.price * 100) * quantity) / 100;
}

function noteOf(row: CartRow, line: CheckedLine): string {
  if (!line.productId) return row.text ?? "";
  return line.stock === undefined ? "" : `${count(line.stock)} in stock`;
}
