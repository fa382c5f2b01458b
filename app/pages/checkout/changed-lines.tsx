import { type ReactNode, useEffect, useRef, useState } from "react";
import type { Problem } from "../../../api/entities.ts";
import { formatMoney } from "../../../shop/money.ts";
import { Button } from "../../components/button.tsx";
import { count, counted, dollars } from "../../components/format.ts";
import { Icon } from "../../components/icon.tsx";
import { Picture } from "../../components/picture.tsx";
import { type CartRow, fixRow } from "../cart/cart-rows.ts";
import { type Fix, noticeOf } from "../cart/line-problem.ts";
import type { CartRows } from "../cart/use-cart-rows.ts";
import type { CheckedRow } from "../cart/use-checked-rows.ts";
import { numberWord } from "../orders/order-wording.ts";

type Refusal = NonNullable<Problem["lines"]>[number];

interface ChangedLine {
  sent: CheckedRow;
  refusal: Refusal;
  /** the decision, with the row before it; undefined while open */
  decision?: { text: string; before: CartRow } | undefined;
}

const REMOVE: Fix = { label: "Remove line" };

/** The lines for which an order was refused, each with a decision. A decision changes the cart at once. */
export function useChangedLines(rows: CartRows, checked: CheckedRow[]) {
  // each refused order is an attempt, which moves the focus
  const [state, setState] = useState({ lines: [] as ChangedLine[], attempt: 0, sentCents: 0 });

  function decide({ sent }: ChangedLine, decision: ChangedLine["decision"]) {
    setState((now) => ({
      ...now,
      lines: now.lines.map((other) => (other.sent.row.key === sent.row.key ? { ...other, decision } : other)),
    }));
  }

  const currentOf = ({ sent }: ChangedLine) => checked.find(({ row }) => row.key === sent.row.key);

  function fixesOf(line: ChangedLine): Fix[] {
    const now = currentOf(line);
    const fixes = now?.isStale === false ? (noticeOf(now.line)?.fixes ?? []) : [];
    return [...fixes.filter(({ change }) => change), REMOVE];
  }

  function apply(line: ChangedLine, fix: Fix) {
    const before = line.sent.row;
    const { change } = fix;
    rows.change((now) =>
      change
        ? now.map((row) => (row.key === before.key ? fixRow(row, change) : row))
        : now.filter((row) => row.key !== before.key),
    );
    decide(line, { text: change ? fix.label.replace(/^Keep at/, "Kept at") : "Left out", before });
  }

  function undo(line: ChangedLine) {
    const before = line.decision?.before;
    if (!before) return;
    rows.change((now) =>
      now.some(({ key }) => key === before.key)
        ? now.map((row) => (row.key === before.key ? before : row))
        : [...now, before],
    );
    decide(line, undefined);
  }

  const undecidedLines = state.lines.filter(({ decision }) => !decision);
  return {
    ...state,
    /** undecided lines */
    undecided: undecidedLines.length,
    /** the cart is being checked, so that the fixes of a line are not known yet */
    isChecking: undecidedLines.some((line) => currentOf(line)?.isStale),
    fixesOf,
    apply,
    undo,
    acceptAll() {
      for (const line of undecidedLines) apply(line, fixesOf(line)[0] ?? REMOVE);
    },
    showRefusals(refusals: Refusal[], sent: CheckedRow[], sentCents: number) {
      const lines = refusals.flatMap((refusal) => {
        const row = sent[refusal.index];
        return row ? [{ sent: row, refusal }] : [];
      });
      setState((now) => ({ lines, attempt: now.attempt + 1, sentCents }));
    },
  };
}

type ChangedLinesProps = ReturnType<typeof useChangedLines> & { totalCents: number };

/** The changes that prevented the order, each with its fixes. */
export function ChangedLines(props: ChangedLinesProps) {
  const { lines, undecided, isChecking, attempt, sentCents, totalCents, fixesOf, apply, undo, acceptAll } =
    props;
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each refused order
  useEffect(() => heading.current?.focus(), [attempt]);
  if (lines.length === 0) return null;
  return (
    <section className="changed" aria-labelledby="changed-lines">
      <div className="changed__hd" role="alert">
        <Icon name="alert" />
        <div>
          <h2 id="changed-lines" ref={heading} tabIndex={-1}>
            {`${numberWord(lines.length)} ${lines.length === 1 ? "line" : "lines"} changed before the order was placed`}
          </h2>
          <p>Nothing has been ordered. Answer each line, then press Place Order again.</p>
        </div>
      </div>
      <ul>
        {lines.map((line) => {
          const { row, line: product } = line.sent;
          return (
            <li key={row.key}>
              <span className="item__pic">
                {product?.picture && <Picture src={product.picture} alt="" />}
              </span>
              <span>
                <b>{product?.name}</b>
                <small>
                  {[product?.itemNumber, counted(Number(row.quantity), "piece")].filter(Boolean).join(", ")}
                </small>
              </span>
              <span className="changed__was">{differenceOf(line)}</span>
              <span className="fixes">
                {line.decision ? (
                  <>
                    <span className="changed__done">
                      <Icon name="check" />
                      {line.decision.text}
                    </span>
                    <FixButton label="Undo" name={product?.name} onClick={() => undo(line)} />
                  </>
                ) : (
                  fixesOf(line).map((fix, index, all) => (
                    <FixButton
                      key={fix.label}
                      label={fix.label}
                      name={product?.name}
                      first={index === 0 && all.length > 1}
                      onClick={() => apply(line, fix)}
                    />
                  ))
                )}
              </span>
            </li>
          );
        })}
      </ul>
      <div className="changed__ft">
        <p>
          {isChecking
            ? "Checking prices and stock."
            : `Was ${formatMoney(sentCents)}. With these changes ${formatMoney(totalCents)}.`}
        </p>
        {undecided > 0 && (
          <Button look="ink" disabled={isChecking} onClick={acceptAll}>
            {undecided === lines.length ? "Accept all changes" : `Accept the other ${count(undecided)}`}
          </Button>
        )}
      </div>
    </section>
  );
}

interface FixButtonProps {
  label: string;
  name: string | undefined;
  first?: boolean;
  onClick: () => void;
}

function FixButton({ label, name, first, onClick }: FixButtonProps) {
  return (
    <button
      type="button"
      className={first ? "fix fix--first" : "fix"}
      aria-label={name && `${label}, ${name}`}
      onClick={onClick}
    >
      {label}
    </button>
  );
}

/** The sent and the current value, if both are numbers; else the store's message. */
function differenceOf({
  sent: { row, line },
  refusal: { code, detail, price, stock },
}: ChangedLine): ReactNode {
  const quantity = Number(row.quantity);
  if (code === "price_changed" && price !== undefined && line?.price !== undefined)
    return (
      <>
        <s>{dollars(line.price)}</s> <b>{dollars(price)}</b>
        {` a piece, ${dollars(Math.round((price - line.price) * 100 * quantity) / 100)} more`}
      </>
    );
  if (code === "above_stock" && stock !== undefined)
    return (
      <>
        <s>{count(quantity)}</s> <b>{count(stock)}</b> in stock now
      </>
    );
  return detail;
}
