import { defineConfig } from "vitest/config";
import { virtualModules } from "./app/build-virtual-modules.ts";
import { LongestFirst } from "./test/harness/longest-first.ts";

export default defineConfig({
  plugins: [virtualModules()],
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/bench/**"],
    pool: "forks",
    // one more than a small machine has processors: some files wait a good deal
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // a busy machine may let a wait end too early; every other failure counts at once
    retry: { count: 1, condition: /Timeout .*exceeded|timed out in/ },
    // patience costs nothing where all is well
    expect: { poll: { timeout: 10_000 } },
    // as the store runs; libraries leave checks out when they believe to be in a test
    env: { NODE_ENV: "production", TEST: "" },
    globalSetup: ["test/harness/global-setup.ts"],
  },
});
