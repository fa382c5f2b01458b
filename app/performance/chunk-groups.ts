/**
 * Which modules share a script file. Without groups the home page loads 600 bytes more, and there are 28 more files.
 */
import { fileURLToPath } from "node:url";

// Compresses 4 kB better together, and stays cached when a page changes.
const base = { name: "base", test: /node_modules[\\/](react|react-dom|react-router|scheduler)[\\/]/ };

// Shared by home, catalogue and product.
const shelf = {
  name: "shelf",
  test: /(app[\\/]components[\\/](picture|product-card|title-block|format|field|spinner|pager|skip-to)|shop[\\/]pictures[\\/]urls)\./,
};

// Small modules of the purchase form, the cart and the dashboard: each alone would be a request of some 300 bytes.
const parts = {
  name: "parts",
  test: /(app[\\/](data[\\/](use-account-key|use-loader-result|use-on-return|use-browser-value|time-zone)|components[\\/](fact|form-rules|notice|chip|breadcrumbs|needs-script|use-file-drop|download-file|unsaved-changes-prompt|key-legend|dates|date-time|panel|segmented-control|use-last)|pages[\\/]orders[\\/](fulfillment-status|sum-cents))|shop[\\/](money|cart[\\/]limits))\./,
};

// Shared by login and register.
const auth = {
  name: "auth",
  test: /app[\\/](data[\\/]session-api|components[\\/]use-fields|pages[\\/]auth[\\/](auth-frame|google-button|use-return-after-sign-in|auth-rules|login-reason|password-field))\./,
};

// Shared by login and the dashboard: as a part of `auth` they cost each page of the dashboard 2 kB more.
const texts = { name: "texts", test: /shop[\\/]texts[\\/](specification|login-refusals)\./ };

// Shared by the catalogue and the dashboard.
const rows = {
  name: "rows",
  test: /app[\\/](data[\\/]use-cart-quantities|components[\\/](density-switch|table))\./,
};

// Shared by the cart, checkout and saved lists.
const lines = {
  name: "lines",
  test: /app[\\/](components[\\/]use-printing|pages[\\/]cart[\\/](cart-rows|cart-unavailable|line-problem|recognize-rows|resolutions|undo-history|unresolved-rows|use-cart-rows|use-checked-rows))\./,
};

// Shared by the cart, saved lists and the product grid.
const pad = {
  name: "pad",
  test: /(node_modules[\\/]@tanstack[\\/].+|app[\\/](components[\\/](pad-cell|use-grid-keys|with-focused-row)|pages[\\/]cart[\\/](entry-row|pad|pad-row|use-tool-combobox)))\./,
};

// What every page that makes a call needs, and the focus trap of every dialog.
const client = {
  name: "client",
  test: /(app[\\/]data[\\/](api-client|call-once)|shop[\\/](texts[\\/]passkey-refusals|pricing[\\/]rules))\./,
};
const dialog = {
  name: "dialog",
  test: /(node_modules[\\/]@base-ui[\\/]|app[\\/]components[\\/](focus-trap|dialog|form-dialog|confirm-dialog)\.)/,
};

// Pages with a list or a table. Each file less is 25 bytes less in the route manifest, which every page loads.
const tables = {
  name: "tables",
  test: /app[\\/](data[\\/]use-list-params|components[\\/](query-boundary|list-view|search-field|dimension-bar|use-focus-after-removal|initials|order-track|tabs|count-up-to|select|action-button|picture-quad|page-head|toast-deleted|transaction-id)|pages[\\/](orders[\\/]order-list|account[\\/]device-name|admin[\\/](orders[\\/]delivery-sla|list-table|list-page|filter-chips|export-link|use-refusal-toast|use-row-selection|split-cells|reports[\\/]figure|audit-log[\\/]event-cells)))\./,
};

/** Everything the root imports: one file instead of a dozen small ones, each of which costs a round trip. */
const frame = { name: frameName, debugName: "frame" };
const root = fileURLToPath(new URL("../root.tsx", import.meta.url));
let frameModules: Set<string> | undefined;

function frameName(id: string, modules: Modules): string | null {
  frameModules ??= importedBy(root, modules);
  // pages request the stylesheet by the root's name
  return frameModules.has(id) && !id.includes(".css") ? "frame" : null;
}

interface Modules {
  getModuleInfo: (id: string) => { importedIds: string[] } | null;
}

function importedBy(start: string, modules: Modules): Set<string> {
  const found = new Set<string>();
  const queue = [start];
  for (let id = queue.pop(); id !== undefined; id = queue.pop())
    for (const next of modules.getModuleInfo(id)?.importedIds ?? [])
      if (!found.has(next)) {
        found.add(next);
        queue.push(next);
      }
  return found;
}

export const chunkGroups = [base, frame, shelf, parts, texts, auth, rows, client, lines, pad, dialog, tables];
