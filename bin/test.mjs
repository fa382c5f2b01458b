// Runs every test, or those named after --, and prints on the last line how many passed and failed.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join, relative } from "node:path";
import { prepare, root } from "./prepare.mjs";

const node = await prepare({ tests: true });
const folder = mkdtempSync(join(tmpdir(), "stator-results-"));
const results = join(folder, "results.json");
const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${results}`];
const run = spawn(node, [vitest, "run", ...reporters, ...process.argv.slice(2)], {
  cwd: root,
  // test files run in processes of their own; they share the compile cache
  env: {
    ...process.env,
    NODE_ENV: "test",
    NODE_COMPILE_CACHE: join(folder, "compiled"),
    TMPDIR: temporaryFolder(),
  },
  stdio: "inherit",
});

// A terminal sends Ctrl-C to vitest as well, which then stops by itself.
process.on("SIGINT", () => undefined);
process.on("SIGTERM", () => run.kill("SIGTERM"));

run.on("exit", (status, signal) => {
  const { passed, failed, skipped, retried } = count();
  rmSync(folder, { recursive: true, force: true });
  const code = signal ? 128 + constants.signals[signal] : status;
  for (const test of retried) console.log(`Passed only when retried: ${test}`);
  if (passed + failed === 0) console.error("No test was run.");
  const failures = code !== 0 && failed === 0 ? 1 : failed; // the run may fail outside of a test
  console.log(`${passed} passed, ${failures} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
  process.exit(code || (failures > 0 || passed === 0 ? 1 : 0));
});

/** In memory if there is enough and programs may run from it: the tests create hundreds of databases and profiles. */
function temporaryFolder() {
  const memory = "/dev/shm";
  try {
    const { bavail, bsize } = statfsSync(memory);
    if (bavail * bsize < 4 * 2 ** 30) return tmpdir();
    const probe = mkdtempSync(join(memory, "stator-probe-"));
    writeFileSync(join(probe, "run"), "#!/bin/sh\n", { mode: 0o755 });
    const { status } = spawnSync(join(probe, "run"));
    rmSync(probe, { recursive: true });
    return status === 0 ? memory : tmpdir();
  } catch {
    return tmpdir(); // not Linux
  }
}

function count() {
  try {
    const all = JSON.parse(readFileSync(results, "utf8"));
    const unloaded = all.testResults.filter(
      (file) => file.status === "failed" && file.assertionResults.length === 0,
    );
    const skipped = all.numPendingTests + all.numTodoTests;
    const failed = all.numFailedTests + unloaded.length;
    return { passed: all.numPassedTests, failed, skipped, retried: all.testResults.flatMap(retriedIn) };
  } catch (error) {
    console.error(`There are no results of the tests: ${error.message}`);
    return { passed: 0, failed: 0, skipped: 0, retried: [] };
  }
}

/** The tests of a file that passed after a failure (vitest.config.ts), with the first line of the failure and its place. */
function retriedIn({ name, assertionResults }) {
  return assertionResults
    .filter(({ status, failureMessages }) => status === "passed" && failureMessages.length > 0)
    .map(({ fullName, failureMessages: [failure] }) => {
      const place = /\.test\.ts:(\d+)/.exec(failure)?.[1] ?? "?";
      return `${relative(root, name)}:${place}: ${fullName}: ${failure.split("\n")[0]}`;
    });
}
