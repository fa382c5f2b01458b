import { Link } from "react-router";
import { loginPath } from "../../data/route-access.ts";

/** Also shown after the session has ended; the login page checks that. */
export function CartUnavailable({ from }: { from: string }) {
  return (
    <>
      The cart of your account could not be loaded yet. If that lasts,{" "}
      <Link className="link" to={loginPath(from)}>
        log in again
      </Link>
      .
    </>
  );
}
