/** `npm run pictures`: the README's pictures and a screenshot of every screen, taken with the test harness. */
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
