import { fileURLToPath } from "node:url";
import { reactRouter } from "@react-router/dev/vite";
import { defineConfig, type Plugin } from "vite";
import { virtualModules } from "./app/build-virtual-modules.ts";
import { SCRIPT_LOST } from "./app/performance/script-lost.ts";

// One file for what every page needs: it compresses 4 kB better than in pieces, and stays cached when a page changes.
const base = { name: "base", test: /node_modules[\\/](react|react-dom|react-router|scheduler)[\\/]/ };

// What home, catalogue and tool have in common: their cards, and the small parts around them.
const shelf = {
  name: "shelf",
  test: /app[\\/]components[\\/](picture|product-card|title-block|format|field|spinner|pager|skip-to)\./,
};

// The small parts of the purchase form and of the dashboard's pages: each alone would be a request of some 300 bytes.
const parts = {
  name: "parts",
  test: /(app[\\/](data[\\/]use-single-flight|components[\\/](form-rules|notice|chip|breadcrumbs|needs-script))|shop[\\/]money)\./,
};

// Login and register have all of these in common.
const auth = {
  name: "auth",
  test: /app[\\/](data[\\/]session-api|components[\\/]use-fields|pages[\\/]auth[\\/](auth-frame|google-button|use-return-after-sign-in|auth-rules))\./,
};

// What most pages of the dashboard need and nothing else does. Each file less is one less that the list of routes names.
const dashboard = {
  name: "dashboard",
  test: /app[\\/](data[\\/](use-list-params|use-loader-result|time-zone)|components[\\/](dates|date-time|page-head|panel|tabs|segmented-control|use-last)|pages[\\/](admin[\\/]orders[\\/]delivery-sla|orders[\\/]fulfillment-status|account[\\/]device-name))\./,
};

// What shows rows, in the catalogue and in the dashboard.
const rows = { name: "rows", test: /app[\\/]components[\\/](density-switch|table)\./ };

/**
 * All that the root imports, and so every page: one file instead of a dozen small ones, each of which would cost a
 * slow line a round trip of its own.
 */
const frame = { name: frameName, debugName: "frame" };
const root = fileURLToPath(new URL("app/root.tsx", import.meta.url));
let framed: Set<string> | undefined;

function frameName(id: string, modules: Modules): string | null {
  framed ??= importedBy(root, modules);
  // the stylesheet stays with the root, by whose name the pages ask for it
  return framed.has(id) && !id.includes(".css") ? "frame" : null;
}

interface Modules {
  getModuleInfo: (id: string) => { importedIds: string[] } | null;
}

function importedBy(start: string, modules: Modules): Set<string> {
  const found = new Set<string>();
  const open = [start];
  for (let id = open.pop(); id !== undefined; id = open.pop())
    for (const next of modules.getModuleInfo(id)?.importedIds ?? [])
      if (!found.has(next)) {
        found.add(next);
        open.push(next);
      }
  return found;
}

/**
 * When the script of the next page cannot be had, the router would load the present page anew: without a connection
 * that is the browser's own error page, and what was typed is gone. It tells us instead; progress.tsx does the rest.
 */
function keepPageWithoutScript(): Plugin {
  const reload = "window.location.reload();";
  return {
    name: "keep-page-without-script",
    transform: {
      filter: { id: /react-router[\\/].*[\\/]ssr[\\/]routeModules\.m?js/ },
      handler(code) {
        if (!code.includes(reload)) throw new Error("The router no longer reloads a page here: look again.");
        return code.replace(reload, `window.dispatchEvent(new Event("${SCRIPT_LOST}"));`);
      },
    },
  };
}

export default defineConfig({
  plugins: [reactRouter(), virtualModules(), keepPageWithoutScript()],
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: {
            // every page is sent the names of all files: 42 bits tell them apart
            chunkFileNames: "assets/[name]-[hash:7].js",
            codeSplitting: { groups: [base, frame, shelf, parts, auth, dashboard, rows] },
          },
        },
      },
    },
  },
});
