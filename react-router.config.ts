import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "@react-router/dev/config";
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
  },
} satisfies Config;
