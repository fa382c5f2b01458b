import type { ListParams } from "../../data/use-list-params.ts";

interface SortSelectProps {
  /** value and words; the first one is the default and is left out of the address */
  sorts: readonly (readonly [string, string])[];
  address: ListParams;
}

/** How a list is sorted, kept in the address. */
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
      {sorts.map(([value, words]) => (
        <option key={value} value={value}>
          {words}
        </option>
      ))}
    </select>
  );
}
