import type { ListParams } from "../../data/use-list-params.ts";

interface SortSelectProps {
  /** value and label; the first one is the default and not in the address */
  sorts: readonly (readonly [string, string])[];
  address: ListParams;
}

export function SortSelect({ sorts, address }: SortSelectProps) {
  const standard = sorts[0]?.[0];
  const chosen = sorts.find(([value]) => value === address.get("sort"))?.[0] ?? standard;
  return (
    <select
      className="input"
      aria-label="Sort"
      value={chosen}
      onChange={({ target }) => address.set({ sort: target.value === standard ? undefined : target.value })}
    >
      {sorts.map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  );
}
