import { useEffect, useEffectEvent, useState } from "react";
import { MAX_LINES } from "../../../shop/cart/limits.ts";
import { focusHeading } from "../../components/focus-heading.ts";
import { toast } from "../../components/toast.ts";
import { appendRows, newRow } from "./cart-rows.ts";
import type { Paste, PasteReport } from "./paste-report.tsx";
import { isTable } from "./recognize-rows.ts";
import type { CartRows } from "./use-cart-rows.ts";

const MAX_BYTES = 10 * 1024 * 1024;
const NOT_ROWS = "This file could not be read as rows. Save it as CSV and drop it again.";

/** What only a paste needs: the page has a script budget. */
const loadParser = () =>
  Promise.all([import("./parse-rows.ts"), import("./paste-report.tsx")]).catch(() => null);

const loadParts = () => {
  void loadParser();
  void import("./export-csv.ts").catch(() => null);
};

/** A paste and the component that reports it. */
type ReportedPaste = Paste & { Report: typeof PasteReport };

/** Adds rows pasted anywhere on the page, or of a file; `paste` is the last one, until its report is closed. */
export function usePaste(cart: CartRows) {
  const [paste, setPaste] = useState<ReportedPaste | null>(null);

  async function addRows(source: string | ArrayBuffer) {
    const loaded = await loadParser();
    if (!loaded) return toast.error("The rows could not be read. Check the connection and try again.");
    const [parser, { PasteReport: Report }] = loaded;
    const text = typeof source === "string" ? source : parser.decode(source);
    if (text.length > MAX_BYTES)
      return toast.error("This paste is larger than 10 MB. Divide it and paste the parts.");
    const parsed = parser.parseRows(text, MAX_LINES);
    if (!parsed) return toast.error(NOT_ROWS);
    if (parsed.found === 0) return toast.info("There are no rows to paste.");
    const freeLines = Math.max(0, MAX_LINES - cart.rows.length);
    const added = parsed.rows.slice(0, freeLines).map(({ text, quantity }) => newRow({ text, quantity }));
    // parsing and rendering thousands of rows in one task would exceed 50 ms
    setTimeout(() => {
      const step = cart.change((now) => appendRows(now, added));
      setPaste({ parsed, keys: added.map(({ key }) => key), step, Report });
    });
  }

  async function addFile(file: File | undefined) {
    if (!file) return;
    if (file.size > MAX_BYTES)
      return toast.error("This file is larger than 10 MB. Divide it and drop the parts.");
    const content = await file.arrayBuffer().catch(() => null);
    if (!content) return toast.error(`${file.name} could not be read. Choose it again.`);
    await addRows(content);
  }

  const onPaste = useEffectEvent((event: ClipboardEvent) => {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    const target = event.target instanceof Element ? event.target : null;
    const isElsewhere = target?.closest("input, textarea") && !target.closest(".pad");
    if (isElsewhere || !isTable(text)) return;
    event.preventDefault();
    void addRows(text);
  });
  useEffect(() => {
    const events = new AbortController();
    document.addEventListener("paste", (event) => onPaste(event), events);
    // so that rows can be pasted and exported without a connection later
    for (const start of ["pointerdown", "focusin"])
      document.addEventListener(start, loadParts, { signal: events.signal, once: true });
    return () => events.abort();
  }, []);

  async function pasteFromClipboard() {
    try {
      await addRows(await navigator.clipboard.readText());
    } catch {
      toast.info("This page may not read the clipboard. Paste into the empty line instead.");
    }
  }

  function closeReport() {
    setPaste(null);
    focusHeading();
  }

  return { paste, addFile, pasteFromClipboard, closeReport };
}
