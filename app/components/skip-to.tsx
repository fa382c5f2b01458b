import type { MouseEvent } from "react";

interface SkipToProps {
  id: string;
  children: string;
}

/** For keyboards (WCAG 2.4.1). Focuses the last link of the target, such as Next, or else the target. */
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
