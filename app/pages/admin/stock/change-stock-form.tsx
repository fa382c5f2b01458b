import { type ChangeEvent, useState } from "react";
import type { StockLedger } from "../../../../api/stock-calls.ts";
import { MAX_PIECES } from "../../../../shop/cart/limits.ts";
import { refusals } from "../../../../shop/texts/refusals.ts";
import { Button } from "../../../components/button.tsx";
import { FormError, TextField } from "../../../components/field.tsx";
import { count } from "../../../components/format.ts";
import { PanelHead } from "../../../components/panel.tsx";
import { SegmentedControl } from "../../../components/segmented-control.tsx";
import { toast } from "../../../components/toast.ts";
import { useFields } from "../../../components/use-fields.ts";
import { isDecided } from "../../../data/api-client.ts";
import { useCallOnce } from "../../../data/call-once.ts";
import { piecesProblem, readNumber } from "../read-number.ts";
import { signedCount } from "../signed-count.ts";

const kinds = [
  ["receive", "Delivery"],
  ["count", "Count"],
  ["correct", "Correction"],
] as const;

type Kind = (typeof kinds)[number][0];

const labels: Record<Kind, { pieces: string; change: string; reason: string; hint: string }> = {
  receive: {
    pieces: "Pieces received",
    change: "Received",
    reason: "Reference",
    hint: "A delivery adds to the stock.",
  },
  count: {
    pieces: "Pieces counted",
    change: "Difference",
    reason: "Reason",
    hint: "A count sets the stock. Do not count pieces that are packed or promised to orders.",
  },
  correct: {
    pieces: "Pieces to add, or to remove with a minus",
    change: "Correction",
    reason: "Reason",
    hint: "A correction adds pieces or removes them.",
  },
};

/** chosen for the last tool: somebody counts many tools in a row, and a count must not be added like a delivery */
let lastKind: Kind = "receive";

interface Seen {
  seenMovement?: string;
}

interface ChangeStockFormProps {
  product: StockLedger;
  onChanged: () => void;
}

/** A delivery, a count or a correction, with a preview of the resulting stock. */
export function ChangeStockForm({ product, onChanged }: ChangeStockFormProps) {
  const [kind, setKind] = useState(lastKind);
  const [text, setText] = useState("");
  const callOnce = useCallOnce();
  /** what was seen before a request without a response, which may have been recorded */
  const [undecided, setUndecided] = useState<Seen | null>(null);
  /** the ledger before the last change, until it is reloaded */
  const [outdated, setOutdated] = useState<StockLedger | null>(null);
  const form = useFields({
    pieces: (value) => problemOf(kind, value, product.quantity),
    reason: (value) => (kind === "correct" && value.trim() === "" ? refusals.required : undefined),
  });
  const pieces = readNumber(text);
  const isValid = pieces !== undefined && !problemOf(kind, text, product.quantity);
  const change = isValid ? (kind === "count" ? pieces - product.quantity : pieces) : null;
  const label = labels[kind];
  const input = form.field("pieces");

  function choose(chosen: Kind) {
    lastKind = chosen;
    setKind(chosen);
  }

  const submit = form.onSubmit(async ({ pieces: entered, reason }, { refuse, empty }) => {
    const seen = undecided ?? (product === outdated ? {} : { seenMovement: product.newestMovement });
    const body = { kind, pieces: readNumber(entered) ?? 0, ...(reason.trim() && { reason }), ...seen };
    const outcome = await callOnce("changeStock", { params: { id: product._id }, body });
    setUndecided(isDecided(outcome) ? null : seen);
    if (outcome.ok) {
      setOutdated(product);
      toast.success(`${product.name}: ${count(outcome.data.quantity)} in stock.`);
      setText(empty().pieces);
      return onChanged();
    }
    refuse(outcome);
    if (outcome.status === 409) onChanged();
  });

  return (
    <form
      className="panel po change-stock"
      aria-labelledby="change-stock"
      method="post"
      autoComplete="off"
      noValidate
      onSubmit={submit}
    >
      <PanelHead title="Change stock" id="change-stock" />
      <div className="panel__bd">
        <FormError>{form.refusal}</FormError>
        <SegmentedControl label="Kind of change" items={kinds} value={kind} onChoose={choose} />
        <TextField
          label={label.pieces}
          inputMode={kind === "correct" ? "text" : "numeric"}
          {...input}
          onChange={(event: ChangeEvent<HTMLInputElement>) => {
            setText(event.target.value);
            input.onChange(event);
          }}
        />
        <TextField
          label={label.reason}
          note={kind === "correct" ? undefined : "Optional"}
          {...form.field("reason")}
        />
        <dl className="sums">
          <div>
            <dt>Stock now</dt>
            <dd>{count(product.quantity)}</dd>
          </div>
          <div>
            <dt>{label.change}</dt>
            <dd>{change === null ? "" : signedCount(change)}</dd>
          </div>
          <div>
            <dt>Stock after</dt>
            <dd aria-live="polite">{change === null ? "" : count(product.quantity + change)}</dd>
          </div>
        </dl>
      </div>
      <div className="po__act">
        <Button type="submit" look="primary" block busy={form.busy}>
          {buttonText(kind, change, pieces)}
        </Button>
        <p className="t-sm soft">{label.hint} It is one line in the ledger.</p>
      </div>
    </form>
  );
}

function buttonText(kind: Kind, change: number | null, pieces = 0): string {
  if (change === null) return { receive: "Receive", count: "Set", correct: "Correct" }[kind];
  if (kind === "count") return `Set to ${count(pieces)}`;
  return change < 0 ? `Remove ${count(-change)}` : `Add ${count(change)}`;
}

function problemOf(kind: Kind, text: string, stock: number): string | undefined {
  const pieces = readNumber(text);
  if (kind === "correct" && pieces === 0) return refusals.noCorrection;
  if (kind === "correct" && Number.isInteger(pieces) && stock + Number(pieces) < 0)
    return refusals.correctionTooLarge(stock);
  const min = { receive: 1, count: 0, correct: -stock }[kind];
  return piecesProblem(text, min, kind === "count" ? MAX_PIECES : Math.max(0, MAX_PIECES - stock));
}
