import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "@react-router/dev/config";
import { splitStylesheets } from "./app/performance/split-stylesheet.ts";
import { compressFiles } from "./server/cache/compress-files.ts";

export default {
  appDirectory: "app",
  ssr: true,
  // lazy discovery requests the routes of all links on a page in one URL, which then names every order on it
  routeDiscovery: { mode: "initial" },
  async buildEnd({ reactRouterConfig: { buildDirectory } }) {
    const compressed = join(buildDirectory, "brotli");
    await rm(compressed, { recursive: true, force: true });
    await compressFiles(join(buildDirectory, "client"), compressed);
    await splitStylesheets(
      join(buildDirectory, "client", "assets"),
      join(buildDirectory, "server", "stylesheets.json"),
    );
  },
} satisfies Config;
