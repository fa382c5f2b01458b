// `npm run bench`, `npm run profile`, `npm run generate`
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { join } from "node:path";
import { prepare, root } from "./prepare.mjs";

const [script, ...rest] = process.argv.slice(2);
const node = await prepare({ tests: true });
const path = join(root, "test", "bench", `${script}.ts`);
const run = spawn(node, ["--disable-warning=ExperimentalWarning", path, ...rest], {
  stdio: "inherit",
});

// A terminal sends Ctrl-C to the script as well.
process.on("SIGINT", () => undefined);
process.on("SIGTERM", () => run.kill("SIGTERM"));
run.on("exit", (status, signal) => process.exit(status ?? 128 + constants.signals[signal]));
