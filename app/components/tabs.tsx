import { Link } from "react-router";
import type { ListParams } from "../data/use-list-params.ts";
import { countUpTo } from "./count-up-to.ts";

interface TabsProps {
  /** for screen readers: "Status" */
  label: string;
  address: ListParams;
  /** the parameter of the address */
  name: string;
  /** value, label and count; the first one has no value and is the default */
  items: readonly (readonly [value: string | undefined, label: string, count?: number | undefined])[];
  /** the number at which counting ended */
  countLimit?: number | undefined;
}

/** Links that filter the list below; the choice is in the address. */
export function Tabs({ label, address, name, items, countLimit }: TabsProps) {
  const current = items.find(([value]) => value === address.get(name)) ?? items[0];
  return (
    <nav className="tabs" aria-label={label}>
      {items.map((item) => {
        const [value, text, count] = item;
        return (
          <Link
            key={text}
            to={address.to({ [name]: value })}
            aria-current={item === current || undefined}
            preventScrollReset
          >
            {text}
            {count !== undefined && <span>{countUpTo(count, countLimit)}</span>}
          </Link>
        );
      })}
    </nav>
  );
}
