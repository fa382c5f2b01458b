import { useEffect, useState } from "react";

/** In the rendered HTML; the server replaces it by the reference of the request. */
export const REFERENCE_PLACEHOLDER = "(reference)";

const ID = "reference";

/** The request id of a page that the server could not render, for people to quote to the operator. */
export function Reference() {
  const [reference] = useState(read);
  // so that a page that fails after a client-side navigation does not show the reference of the document
  useEffect(() => document.getElementById(ID)?.removeAttribute("id"), []);
  if (!reference) return null;
  return (
    <p className="soft">
      Reference:{" "}
      <span id={ID} className="mono">
        {reference}
      </span>
    </p>
  );
}

function read(): string | null | undefined {
  return import.meta.env.SSR ? REFERENCE_PLACEHOLDER : document.getElementById(ID)?.textContent;
}
