import { ButtonLink } from "./button.tsx";

export const PAGES = "pages";

interface PagerProps {
  previous?: string | undefined;
  next?: string | undefined;
  /** if the link back does not lead to the previous page */
  previousLabel?: string;
}

/** Links of a cursor-paginated list. Renders nothing for a single page. */
export function Pager({ previous, next, previousLabel = "Previous" }: PagerProps) {
  if (!previous && !next) return null;
  return (
    <nav className="pages pages--spread" aria-label="Pages" id={PAGES}>
      {previous ? (
        <ButtonLink size="sm" icon="left" to={previous} prefetch="none">
          {previousLabel}
        </ButtonLink>
      ) : (
        <span>First page</span>
      )}
      {next ? (
        <ButtonLink size="sm" icon="right" className="btn--turned" to={next} prefetch="none">
          Next
        </ButtonLink>
      ) : (
        <span>Last page</span>
      )}
    </nav>
  );
}
