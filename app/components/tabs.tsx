import { type RefObject, useLayoutEffect, useRef } from "react";
import { Link } from "react-router";
import type { ListParams } from "../data/use-list-params.ts";
import { countUpTo } from "./count-up-to.ts";

export interface TabsProps {
  /** for screen readers: "Status" */
  label: string;
  params: ListParams;
  /** the parameter of the URL */
  name: string;
  /** value, label and count; the first one has no value and is the default */
  items: readonly (readonly [value: string | undefined, label: string, count?: number | undefined])[];
  /** the number at which counting ended */
  countLimit?: number | undefined;
}

/** Links that filter the list below; the choice is in the URL. */
export function Tabs({ label, params, name, items, countLimit }: TabsProps) {
  const current = items.find(([value]) => value === params.get(name)) ?? items[0];
  const nav = useCurrentInView(current?.[1]);
  return (
    <nav className="tabs" aria-label={label} ref={nav}>
      {items.map((item) => {
        const [value, text, count] = item;
        return (
          <Link
            key={text}
            to={params.to({ [name]: value })}
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

/** Tabs that are wider than the window scroll horizontally: keeps the current one in view. */
export function useCurrentInView(current: string | undefined): RefObject<HTMLElement | null> {
  const nav = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the link in the document depends on the current tab
  useLayoutEffect(() => {
    const link = nav.current?.querySelector("[aria-current]");
    if (!nav.current || !link) return;
    const [box, tab] = [nav.current.getBoundingClientRect(), link.getBoundingClientRect()];
    nav.current.scrollLeft += Math.min(0, tab.left - box.left) + Math.max(0, tab.right - box.right);
  }, [current]);
  return nav;
}
