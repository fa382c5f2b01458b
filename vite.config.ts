import { reactRouter } from "@react-router/dev/vite";
import { defineConfig, type Plugin } from "vite";
import { virtualModules } from "./app/build-virtual-modules.ts";
import { chunkGroups } from "./app/performance/chunk-groups.ts";
import { compactServerBuild } from "./app/performance/compact-server-build.ts";
import { SCRIPT_LOST } from "./app/performance/script-lost.ts";
import { shrinkManifest } from "./app/performance/shrink-manifest.ts";
import { leaveOutUnusedRouterParts } from "./app/performance/unused-router-parts.ts";

/**
 * When the script of the next page fails to load, the router reloads the current page: without a connection the browser
 * shows its own error page, and what the user typed is lost. This dispatches an event instead (progress.tsx).
 */
function keepPageWithoutScript(): Plugin {
  const reload = "window.location.reload();";
  return {
    name: "keep-page-without-script",
    apply: "build",
    transform: {
      filter: { id: /react-router[\\/].*[\\/]ssr[\\/]routeModules\.m?js/ },
      handler(code) {
        if (!code.includes(reload)) throw new Error("The router no longer reloads a page here.");
        return code.replace(reload, `window.dispatchEvent(new Event("${SCRIPT_LOST}"));`);
      },
    },
  };
}

export default defineConfig({
  plugins: [
    reactRouter(),
    virtualModules(),
    keepPageWithoutScript(),
    leaveOutUnusedRouterParts(),
    shrinkManifest(),
    compactServerBuild(),
  ],
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: {
            // the route manifest, which every page loads, names all files: 42 bits are enough
            chunkFileNames: "assets/[name]-[hash:7].js",
            entryFileNames: "assets/[name]-[hash:7].js",
            codeSplitting: { groups: chunkGroups },
          },
        },
      },
    },
  },
});
