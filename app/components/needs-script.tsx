import { Notice } from "./notice.tsx";

/** For pages whose forms need JavaScript. */
export function NeedsScript() {
  return (
    <noscript>
      <Notice kind="warn">
        Forms and buttons here need JavaScript. Allow it for this site and load the page again.
      </Notice>
    </noscript>
  );
}
