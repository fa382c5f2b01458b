import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

const ASSETS = "build/client/assets";

/** Scripts that every page loads anyway, so that their preloads are useless. */
const LOADED = /^"\/assets\/(?:rolldown-runtime|base|frame)-/;

const IMPORTS = /(?<="imports":\[)[^\]]+/g;

/**
 * Saves 450 of 3,000 bytes of the route manifest, which every page loads. The server has its own, so the HTML stays
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
  const uses = new Map<string, number>();
  for (const [imports] of manifest.matchAll(IMPORTS))
    for (const script of imports.split(",")) uses.set(script, (uses.get(script) ?? 0) + 1);
  const usesOf = (script: string) => uses.get(script) ?? 0;
  return manifest.replace(/"has\w+":false,/g, "").replace(IMPORTS, (imports) =>
    imports
      .split(",")
      .filter((script) => !LOADED.test(script))
      // in the same order everywhere, which compresses better
      .sort((a, b) => usesOf(b) - usesOf(a) || a.localeCompare(b))
      .join(","),
  );
}
