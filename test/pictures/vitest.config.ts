/** `npm run pictures`: the pictures of README and docs/screens.md, by what the tests stand on, but no test. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    root: new URL("../..", import.meta.url).pathname,
    include: ["test/pictures/take.ts"],
    pool: "forks",
    testTimeout: 600_000,
    hookTimeout: 120_000,
    env: { NODE_ENV: "production", TEST: "" },
    globalSetup: ["test/harness/global-setup.ts"],
  },
});
