import { Notice } from "./notice.tsx";

/** Where forms cannot be sent without JavaScript. */
export function NeedsScript() {
  return (
    <noscript>
      <Notice kind="warn">
        Forms and buttons here need JavaScript. Allow it for this site and load the page again.
      </Notice>
    </noscript>
  );
}
