import { useEffect, useEffectEvent, useState } from "react";
import { MAX_LINES } from "../../../shop/cart/limits.ts";
import { focusHeading } from "../../components/focus-heading.ts";
import { toast } from "../../components/toast.ts";
import { appendRows, newRow } from "./cart-rows.ts";
import type { Paste, PasteReport } from "./paste-report.tsx";
import { isTable } from "./recognize-rows.ts";
import type { CartRows } from "./use-cart-rows.ts";

const MAX_BYTES = 10 * 1024 * 1024;

/** What only a paste needs: the page has a script budget. */
const loadParser = () =>
  Promise.all([import("./parse-rows.ts"), import("./paste-report.tsx"), import("./read-dropped.ts")]).catch(
    () => null,
  );

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
    if (text.length > MAX_BYTES) return toast.error(parser.TOO_LARGE);
    const parsed = parser.parseRows(text, MAX_LINES);
    if (!parsed) return toast.error(parser.NOT_ROWS);
    if (parsed.found === 0) return toast.info(parser.NO_ROWS);
    const freeLines = Math.max(0, MAX_LINES - cart.rows.length);
    const added = parsed.rows.slice(0, freeLines).map(({ text, quantity }) => newRow({ text, quantity }));
    // parsing and rendering thousands of rows in one task would exceed 50 ms
    setTimeout(() => {
      const step = cart.change((now) => appendRows(now, added));
      setPaste({ parsed, keys: added.map(({ key }) => key), step, Report });
    });
  }

  async function addFiles(files: Iterable<File>) {
    // before the list is emptied
    const [file, ...others] = files;
    if (!file) return;
    const loaded = await loadParser();
    const content = await loaded?.[2].readDropped([file, ...others], MAX_BYTES);
    if (typeof content === "string") toast.error(content);
    else await addRows(content ?? "");
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

  return { paste, addFiles, pasteFromClipboard, closeReport };
}
