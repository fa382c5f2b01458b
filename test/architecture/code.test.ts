/** Type check and lint. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const MINUTES = 60_000;

/** Runs a tool of the project; returns its output if it fails, else "". */
function outputOf(command: string, ...args: string[]): string {
  const options = {
    cwd: root,
    encoding: "utf8",
    env: { ...process.env, NO_COLOR: "1", FORCE_COLOR: "0" },
  } as const;
  const { status, stdout, stderr, error } = spawnSync(`${root}/node_modules/.bin/${command}`, args, options);
  if (error) throw error;
  return status === 0 ? "" : `${stdout}${stderr}`;
}

test("the type check passes", { timeout: 6 * MINUTES }, () => {
  expect(outputOf("react-router", "typegen")).toBe("");
  expect(outputOf("tsc", "-p", ".", "--checkers", "1")).toBe("");
});

test("Biome finds nothing to format or lint", { timeout: 2 * MINUTES }, () => {
  const output = outputOf("biome", "ci", "--colors=off", "--error-on-warnings", "--max-diagnostics=30", ".");
  expect(output, "npx biome check --write . formats all files.").toBe("");
});
