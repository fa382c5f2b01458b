import { useState } from "react";
import { MAX_LINES } from "../../../shop/cart/limits.ts";
import { toast } from "../../components/toast.ts";
import { appendRows, newRow } from "./cart-rows.ts";
import { parseRows } from "./parse-rows.ts";
import type { Paste } from "./paste-report.tsx";
import type { CartRows } from "./use-cart-rows.ts";

const MAX_BYTES = 10 * 1024 * 1024;
const NO_TABLE = "This file could not be read as rows. Save it as CSV and drop it again.";

/** Adds rows of a paste or a file; `paste` is the last one, until its report is closed. */
export function usePaste(cart: CartRows) {
  const [paste, setPaste] = useState<Paste | null>(null);

  function addRows(text: string) {
    if (text.length > MAX_BYTES)
      return toast.error("This paste is larger than 10 MB. Divide it and paste the parts.");
    const parsed = parseRows(text, MAX_LINES);
    if (!parsed) return toast.error(NO_TABLE);
    if (parsed.found === 0) return toast.info("There are no rows to paste.");
    const room = Math.max(0, MAX_LINES - cart.rows.length);
    const added = parsed.rows.slice(0, room).map(({ text, quantity }) => newRow({ text, quantity }));
    // parsing and rendering thousands of rows in one task would exceed 50 ms
    setTimeout(() => {
      cart.change((now) => appendRows(now, added));
      setPaste({ parsed, keys: added.map(({ key }) => key) });
    });
  }

  async function addFile(chosen: File | undefined) {
    if (!chosen) return;
    if (chosen.size > MAX_BYTES)
      return toast.error("This file is larger than 10 MB. Divide it and drop the parts.");
    addRows(await chosen.text());
  }

  async function pasteFromClipboard() {
    try {
      addRows(await navigator.clipboard.readText());
    } catch {
      toast.info("Your browser does not let this page read the clipboard. Press Ctrl V in the cart.");
    }
  }

  return { paste, addRows, addFile, pasteFromClipboard, closeReport: () => setPaste(null) };
}
