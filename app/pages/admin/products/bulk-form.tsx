import { useState } from "react";
import { useNavigate } from "react-router";
import type { Product } from "../../../../api/entities.ts";
import type { BulkField } from "../../../../api/import-calls.ts";
import { Button } from "../../../components/button.tsx";
import { count } from "../../../components/format.ts";
import { Select } from "../../../components/select.tsx";
import { useCallOnce } from "../../../data/call-once.ts";
import { useBusy } from "../../../data/use-busy.ts";
import { isSetOnly, type Method, methods, toBulkChange } from "./bulk-change.ts";
import type { ProductQuery } from "./product-search.ts";

const fields: [BulkField, string][] = [
  ["price", "Price"],
  ["quantity", "Stock"],
  ["minimum_order", "Minimum"],
  ["order_multiple", "Multiple"],
  ["reorder_point", "Reorder point"],
  ["category", "Category"],
  ["archived", "Archived"],
];

const roundings = [
  ["0.01", "to the cent"],
  ["0.05", "to $0.05"],
  ["0.5", "to $0.50"],
  ["1", "to $1.00"],
] as const;

interface BulkFormProps {
  selected: Product[];
  /** all results of the list are selected, also those out of view */
  isAllSelected: boolean;
  resultCount: number;
  query: ProductQuery;
  onSelectAll: () => void;
  onClear: () => void;
}

/** Changes one field of the selected products. They are compared first, on a page that shows each change. */
export function BulkForm({
  selected,
  isAllSelected,
  resultCount,
  query,
  onSelectAll,
  onClear,
}: BulkFormProps) {
  const navigate = useNavigate();
  const callOnce = useCallOnce();
  const [field, setField] = useState<BulkField>("price");
  const [method, setMethod] = useState<Method>("up");
  /** only used on a phone, where the fields would cover the rows */
  const [isOpen, setIsOpen] = useState(false);
  const [isBusy, run] = useBusy();
  const [failure, setFailure] = useState<string | null>(null);
  const total = isAllSelected ? resultCount : selected.length;
  const effectiveMethod = isSetOnly(field) ? "set" : method;

  async function compare(form: FormData) {
    const { sort: _, ...filters } = query;
    const change = toBulkChange(effectiveMethod, String(form.get("value")).trim(), field);
    if (typeof change === "string") return setFailure(change);
    const body = {
      ...(isAllSelected ? filters : { ids: selected.map(({ _id }) => _id) }),
      field,
      ...change,
      ...(field === "price" && { roundTo: Number(form.get("roundTo")) }),
    };
    setFailure(null);
    const outcome = await callOnce("changeProducts", { body });
    if (outcome.ok) return navigate(`/dashboard/import/${outcome.data._id}`);
    setFailure(outcome.fields?.value ?? outcome.detail);
  }

  return (
    <form
      className="bulk"
      aria-label="Change the selected tools"
      onSubmit={(event) => {
        event.preventDefault();
        const form = new FormData(event.currentTarget);
        void run(() => compare(form));
      }}
      noValidate
    >
      <p role="status">
        <b>{count(total)} selected</b> <span>of {count(resultCount)}</span>
      </p>
      <Button
        className="bulk__more"
        size="sm"
        aria-expanded={isOpen}
        aria-controls="bulk-fields"
        onClick={() => setIsOpen(!isOpen)}
      >
        Change
      </Button>
      <div className="bulk__fields" id="bulk-fields" data-open={isOpen || undefined}>
        {!isAllSelected && selected.length < resultCount && (
          <Button size="sm" onClick={onSelectAll}>
            Select all {count(resultCount)}
          </Button>
        )}
        <Select
          aria-label="Field"
          value={field}
          onChange={({ target }) => setField(target.value as BulkField)}
          options={fields}
        />
        <Select
          aria-label="How it changes"
          value={effectiveMethod}
          onChange={({ target }) => setMethod(target.value as Method)}
          options={Object.entries(methods).filter(([name]) => !isSetOnly(field) || name === "set")}
        />
        {field === "archived" ? (
          <Select
            name="value"
            aria-label="Value"
            options={[
              ["yes", "yes"],
              ["no", "no, on sale"],
            ]}
          />
        ) : (
          <input
            className="input"
            name="value"
            aria-label="Value"
            autoComplete="off"
            inputMode={field === "category" ? "text" : "decimal"}
            aria-invalid={failure !== null || undefined}
            aria-describedby={failure ? "bulk-failure" : undefined}
          />
        )}
        {field === "price" && <Select name="roundTo" aria-label="Rounding" options={roundings} />}
        <Button type="submit" size="sm" busy={isBusy}>
          Preview {count(total)}
        </Button>
        <Button size="sm" onClick={onClear}>
          Clear
        </Button>
        {failure && (
          <p className="bulk__bad" id="bulk-failure" role="alert">
            {failure}
          </p>
        )}
      </div>
    </form>
  );
}
