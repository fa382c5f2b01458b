import { ButtonLink } from "./button.tsx";

interface PaginationProps {
  /** from 1 */
  page: number;
  pages: number;
  /** the address of a page */
  to: (page: number) => string;
}

/** Previous, where one is, next. Renders nothing for a single page. */
export function Pagination({ page, pages, to }: PaginationProps) {
  if (pages <= 1) return null;
  return (
    <nav className="pages" aria-label="Pages">
      {page > 1 && (
        <ButtonLink size="sm" icon="left" to={to(page - 1)} preventScrollReset>
          Previous
        </ButtonLink>
      )}
      <span className="num" aria-current="page">
        Page {page} of {pages}
      </span>
      {page < pages && (
        <ButtonLink size="sm" icon="right" to={to(page + 1)} preventScrollReset>
          Next
        </ButtonLink>
      )}
    </nav>
  );
}
