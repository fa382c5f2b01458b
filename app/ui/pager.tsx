import { ButtonLink } from "./button.tsx";

interface PagerProps {
  /** the addresses of the pages beside this one */
  previous?: string | undefined;
  next?: string | undefined;
}

/** Previous and next page of a list that is read on from a cursor. Renders nothing for a single page. */
export function Pager({ previous, next }: PagerProps) {
  if (!previous && !next) return null;
  return (
    <nav className="pages pages--spread" aria-label="Pages">
      {previous ? (
        <ButtonLink size="sm" icon="left" to={previous} prefetch="none">
          Previous
        </ButtonLink>
      ) : (
        <span>First page</span>
      )}
      {next ? (
        <ButtonLink size="sm" icon="right" to={next} prefetch="none">
          Next
        </ButtonLink>
      ) : (
        <span>Last page</span>
      )}
    </nav>
  );
}
