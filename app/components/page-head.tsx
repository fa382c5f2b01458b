import type { ReactNode } from "react";

interface PageHeadProps {
  title: string;
  fact?: ReactNode;
  action?: ReactNode;
}

/** The heading of a dashboard page: title, one line of text, one action. */
export function PageHead({ title, fact, action }: PageHeadProps) {
  return (
    <div className="dash__head">
      <div>
        <h1 className="t-h2">{title}</h1>
        {fact && <p>{fact}</p>}
      </div>
      {action}
    </div>
  );
}
