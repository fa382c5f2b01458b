// For images and service managers: installs and builds nothing. The store replaces this process.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const MIN_NODE_MAJOR = 26;

function fail(line) {
  console.error(line);
  process.exit(1);
}

if (process.argv.length > 2) {
  fail(`${process.argv[2]} is not understood: set environment variables, such as PORT.`);
}
if (Number.parseInt(process.versions.node, 10) < MIN_NODE_MAJOR) {
  fail(`Node ${MIN_NODE_MAJOR} or newer is needed, this is ${process.versions.node}.`);
}
if (!existsSync(join(root, "node_modules"))) fail("The packages are not installed. Run npm ci first.");
if (!existsSync(join(root, "build", "server", "index.js"))) {
  fail("The pages are not built. Run npm run build first.");
}
const { options, environment } = JSON.parse(readFileSync(join(root, "bin", "node-options.json"), "utf8"));
process.chdir(root);
process.execve(process.execPath, [process.execPath, ...options, join(root, "server", "main.ts")], {
  ...environment,
  ...process.env,
  NODE_ENV: "production",
});
