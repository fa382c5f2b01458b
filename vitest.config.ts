import { defineConfig } from "vitest/config";
import { virtualModules } from "./app/build-virtual-modules.ts";
import { LongestFirst } from "./test/harness/longest-first.ts";

export default defineConfig({
  plugins: [virtualModules()],
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/bench/**"],
    pool: "forks",
    // one more than a small machine has cores: some files mostly wait
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // on a busy machine a wait may time out; every other failure counts at once
    retry: { count: 1, condition: /Timeout .*exceeded|timed out in/ },
    // generous: only failing tests wait this long
    expect: { poll: { timeout: 10_000 } },
    // as in production; libraries skip checks in test mode
    env: { NODE_ENV: "production", TEST: "" },
    globalSetup: ["test/harness/global-setup.ts"],
  },
});
