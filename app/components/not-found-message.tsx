import { Link } from "react-router";
import { ButtonLink } from "./button.tsx";
import { Picture } from "./picture.tsx";

export const NOT_FOUND_TITLE = "Page not found";

/** The 404 picture: a tool board with one outline empty (specification, section 2). */
export function NotFoundMessage() {
  return (
    <main id="main" className="sheet notfound">
      <div className="plate plate--ticks">
        <Picture src="/art/404.svg" alt="404: one tool is missing on the board." width={720} height={460} />
      </div>
      <div>
        <h1 className="t-h1">Page not found</h1>
        <p className="soft">The page was moved or never existed.</p>
        <ButtonLink look="primary" to="/tools">
          See all tools
        </ButtonLink>
        <Link className="link" to="/">
          Go to the home page
        </Link>
      </div>
    </main>
  );
}
