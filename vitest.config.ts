import { defineConfig } from "vitest/config";
import { virtualModules } from "./app/build-virtual-modules.ts";
import { LongestFirst } from "./test/harness/longest-first.ts";

/** These measure or change their process, and have one of their own. */
const ISOLATED = ["test/http/response-cache.test.ts", "test/integration/payments/unexpected.test.ts"];

const common = {
  pool: "forks",
  testTimeout: 120_000,
  hookTimeout: 120_000,
  // on a busy machine a wait may time out; every other failure counts at once
  retry: { count: 1, condition: /Timeout .*exceeded|timed out in|resolve in time/ },
  // generous: only failing tests wait this long
  expect: { poll: { timeout: 30_000 } },
  // as in production; libraries skip checks in test mode
  env: { NODE_ENV: "production", TEST: "" },
} as const;

export default defineConfig({
  test: {
    // one more than a small machine has cores: some files mostly wait
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    globalSetup: ["test/harness/global-setup.ts"],
    projects: [
      {
        plugins: [virtualModules()],
        // loading the store takes longer than many a test file: files share processes
        test: {
          ...common,
          name: "shared",
          isolate: false,
          include: ["test/**/*.test.ts"],
          exclude: ["test/bench/**", ...ISOLATED],
        },
      },
      { plugins: [virtualModules()], test: { ...common, name: "isolated", include: ISOLATED } },
    ],
  },
});
