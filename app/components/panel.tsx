import type { ComponentProps, ReactNode, Ref } from "react";
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
        <PanelHead title={title} ref={headingRef} tabIndex={headingRef ? -1 : undefined}>
          {aside}
        </PanelHead>
      )}
      {flush ? children : <div className="panel__bd">{children}</div>}
    </section>
  );
}

interface PanelHeadProps extends Omit<ComponentProps<"h2">, "title"> {
  title: ReactNode;
  /** right of the heading */
  children?: ReactNode;
}

/** For a panel that is a form, or that is named by its heading; other props are the heading's. */
export function PanelHead({ title, children, ...heading }: PanelHeadProps) {
  return (
    <div className="panel__hd">
      <h2 className="t-h3" {...heading}>
        {title}
      </h2>
      {children}
    </div>
  );
}
