import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

const ASSETS = "build/client/assets";

/** Scripts that every page loads: preloading them again is of no use. */
const LOADED = /"\/assets\/(?:rolldown-runtime|base|frame)-[\w-]+\.js",?/g;

/**
 * Leaves out of the router's list of routes, which every page loads, what is false and what is loaded anyway: 200 bytes
 * less of 3,300. The server has a list of its own, so the HTML stays the same.
 */
export function shrinkManifest(): Plugin {
  return {
    name: "shrink-manifest",
    apply: "build",
    // the list is written while the server is built
    applyToEnvironment: ({ name }) => name === "ssr",
    closeBundle() {
      const manifests = readdirSync(ASSETS).filter((name) => name.startsWith("manifest-"));
      if (manifests.length === 0)
        throw new Error(`The router no longer writes its list of routes to ${ASSETS}.`);
      for (const name of manifests) {
        const path = join(ASSETS, name);
        writeFileSync(path, shrink(readFileSync(path, "utf8")));
      }
    },
  };
}

function shrink(manifest: string): string {
  return manifest
    .replace(/"has\w+":false,/g, "")
    .replace(/"imports":\[[^\]]*\]/g, (imports) => imports.replace(LOADED, "").replace(/,\]$/, "]"));
}
