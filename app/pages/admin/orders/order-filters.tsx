import type { FormEvent } from "react";
import {
  CHOOSABLE_COLUMNS,
  type ChoosableColumn,
  choosableColumnNames,
} from "../../../../shop/orders/choosable-columns.ts";
import { Button } from "../../../components/button.tsx";
import { formatCalendarDay } from "../../../components/dates.ts";
import { Field, TextField } from "../../../components/field.tsx";
import { Select } from "../../../components/select.tsx";
import type { ListParams } from "../../../data/use-list-params.ts";
import { FilterChips } from "../filter-chips.tsx";
import { columnsParam, DEFAULT_COLUMNS, readColumns } from "./purchase-columns.tsx";
import { filterNames, type ListedPurchase } from "./use-orders.ts";

const ages = ["1", "3", "7", "30", "90"];

interface OrderFiltersProps {
  params: ListParams;
  onClose: () => void;
}

/** The filters of Manage All Orders and the columns of its table; both are in the URL. */
export function OrderFilters({ params, onClose }: OrderFiltersProps) {
  const visible = readColumns(params);

  function apply(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const filters = ["buyer", "po", "item", "from", "to", "age"].map((name) => [
      name,
      String(form.get(name)).trim(),
    ]);
    const columns = columnsParam(form.getAll("column") as ChoosableColumn[]);
    const isDefault = columns === columnsParam(DEFAULT_COLUMNS);
    params.set({ ...Object.fromEntries(filters), columns: isDefault ? undefined : columns });
    onClose();
  }

  return (
    <form className="panel filters" aria-label="Filters and columns" onSubmit={apply}>
      <div className="filters__fields">
        <TextField label="Buyer" name="buyer" maxLength={100} defaultValue={params.get("buyer")} autoFocus />
        <TextField label="PO number" name="po" maxLength={40} defaultValue={params.get("po")} />
        <TextField label="Item" name="item" maxLength={100} defaultValue={params.get("item")} />
        <TextField label="Placed from" name="from" type="date" defaultValue={params.get("from")} />
        <TextField label="Placed to" name="to" type="date" defaultValue={params.get("to")} />
        <Field label="Age">
          {(input) => (
            <Select
              {...input}
              name="age"
              defaultValue={params.get("age")}
              options={[["", "Any"], ...ages.map((days) => [days, ageLabel(days)] as const)]}
            />
          )}
        </Field>
      </div>
      <fieldset className="filters__columns">
        <legend>Columns</legend>
        {choosableColumnNames.map((name) => (
          <label className="check" key={name}>
            <input type="checkbox" name="column" value={name} defaultChecked={visible.includes(name)} />
            {CHOOSABLE_COLUMNS[name].label}
          </label>
        ))}
      </fieldset>
      <div className="acts">
        <Button type="submit" look="ink">
          Apply
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </form>
  );
}

function ageLabel(days: string): string {
  return days === "1" ? "Over 1 day" : `Over ${days} days`;
}

/** `rows` provide the name of the customer. */
export function OrderFilterChips({ params, rows }: { params: ListParams; rows: ListedPurchase[] }) {
  const active = filterNames.flatMap((name) => {
    const value = params.get(name);
    return value ? [{ name, label: chipLabel(name, value, rows) }] : [];
  });
  return <FilterChips active={active} params={params} />;
}

function chipLabel(name: (typeof filterNames)[number], value: string, rows: ListedPurchase[]): string {
  const labels: Record<typeof name, (value: string) => string> = {
    buyer: (text) => `Buyer: ${text}`,
    customer: () => `Customer: ${rows[0]?.name ?? "one"}`,
    po: (text) => `PO number: ${text}`,
    item: (text) => `Item: ${text}`,
    from: (day) => `From ${formatDay(day)}`,
    to: (day) => `To ${formatDay(day)}`,
    age: ageLabel,
  };
  return labels[name](value);
}

/** The URL may contain any text. */
function formatDay(day: string): string {
  return /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(day)) ? formatCalendarDay(day) : day;
}
