import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

const ASSETS = "build/client/assets";

/** Scripts that every page loads anyway, so that their preloads are useless. */
const LOADED = /"\/assets\/(?:rolldown-runtime|base|frame)-[\w-]+\.js",?/g;

/**
 * Removes 200 of 3,300 bytes from the route manifest, which every page loads. The server has its own, so the HTML stays
 * the same.
 */
export function shrinkManifest(): Plugin {
  return {
    name: "shrink-manifest",
    apply: "build",
    // the manifest is written during the server build
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
