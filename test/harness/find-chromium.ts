/** The browser of the tests: the one from npm, unpacked once per version; else one installed on the machine. */
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { inflate } from "@sparticuz/chromium";

export interface Browser {
  path: string;
  environment: Record<string, string>;
}

const require = createRequire(import.meta.url);
const packed = join(dirname(require.resolve("@sparticuz/chromium")), "..", "bin");
const { version } = require(join(packed, "..", "package.json")) as { version: string };
const cache = join(realpathSync(fileURLToPath(new URL("../../node_modules", import.meta.url))), ".cache");
const unpacked = join(cache, `chromium-${version}`);

const fontsFile = join(unpacked, "only-these-fonts.conf");
// only the bundled fonts, so that pages look the same on every machine
const fonts = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(unpacked, "fonts")}</dir>
  <cachedir>${join(unpacked, "fonts-cache")}</cachedir>
</fontconfig>
`;

const onMachine = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/** `CHROMIUM_PATH`, or the one from npm, or the machine's. Throws if none of them starts. */
export async function findChromium(): Promise<Browser> {
  const configured = process.env.CHROMIUM_PATH;
  if (configured) return { path: configured, environment: {} };
  const packaged = process.platform === "linux" && process.arch === "x64" ? await packagedBrowser() : null;
  const found = packaged ?? onMachine.map((path) => ({ path, environment: {} })).find(starts);
  if (!found) throw new Error("There is no Chromium that starts here: set CHROMIUM_PATH to one.");
  return found;
}

async function packagedBrowser(): Promise<Browser | null> {
  if (!existsSync(unpacked)) await unpack();
  const environment = { FONTCONFIG_FILE: fontsFile };
  const libraries = { ...environment, LD_LIBRARY_PATH: join(unpacked, "al2023", "lib") };
  const path = join(unpacked, "chromium");
  // a bare machine lacks libraries that the package includes; others should use their own
  return [environment, libraries].map((variables) => ({ path, environment: variables })).find(starts) ?? null;
}

function starts({ path, environment }: Browser): boolean {
  if (!existsSync(path)) return false;
  return (
    spawnSync(path, ["--version", "--no-sandbox"], { env: { ...process.env, ...environment } }).status === 0
  );
}

/** Unpacked under a temporary name and renamed, so that concurrent tests find it complete. */
async function unpack(): Promise<void> {
  mkdirSync(cache, { recursive: true });
  const aside = mkdtempSync(join(cache, "chromium-"));
  const before = process.env.TMPDIR;
  // where the package unpacks to
  process.env.TMPDIR = aside;
  try {
    const files = ["chromium.br", "fonts.tar.br", "swiftshader.tar.br", "al2023.tar.br"];
    await Promise.all(files.map((file) => inflate(join(packed, file))));
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
  chmodSync(aside, 0o755);
  chmodSync(join(aside, "chromium"), 0o755);
  writeFileSync(join(aside, basename(fontsFile)), fonts);
  try {
    renameSync(aside, unpacked);
  } catch (error) {
    if (!existsSync(unpacked)) throw error;
    rmSync(aside, { recursive: true });
  }
}
