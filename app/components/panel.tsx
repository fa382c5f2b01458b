import type { ReactNode, Ref } from "react";
import { classNames } from "./class-names.ts";

interface PanelProps {
  title?: ReactNode;
  aside?: ReactNode;
  /** if the heading takes the focus of a control that is removed */
  headingRef?: Ref<HTMLHeadingElement>;
  /** with the ink edge of a purchase order or card form */
  strong?: boolean;
  flush?: boolean;
  className?: string;
  children: ReactNode;
}

export function Panel({ title, aside, headingRef, strong, flush, className, children }: PanelProps) {
  return (
    <section className={classNames("panel", strong && "po", className)}>
      {title && (
        <div className="panel__hd">
          <h2 className="t-h3" ref={headingRef} tabIndex={headingRef ? -1 : undefined}>
            {title}
          </h2>
          {aside}
        </div>
      )}
      {flush ? children : <div className="panel__bd">{children}</div>}
    </section>
  );
}
