import type { MouseEvent } from "react";

interface SkipToProps {
  /** the id of what it leads to */
  id: string;
  children: string;
}

/**
 * Leads a keyboard past a long list or many filters (WCAG 2.4.1); it is seen while it has the focus. The focus goes to
 * the last link of the target, such as Next, and where it has none, to the target.
 */
export function SkipTo({ id, children }: SkipToProps) {
  function onClick(event: MouseEvent) {
    const target = document.getElementById(id);
    if (!target) return;
    event.preventDefault();
    ([...target.querySelectorAll<HTMLElement>("a, button")].at(-1) ?? target).focus();
  }
  return (
    <a className="skip skip--here" href={`#${id}`} onClick={onClick}>
      {children}
    </a>
  );
}
