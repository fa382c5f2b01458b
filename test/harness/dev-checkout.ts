/** A copy of the checkout that a test may edit, and the store in development mode on it. */
import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "./free-port.ts";

const COPIED = [
  ...["app", "api", "shop", "providers", "database", "server", "public", "package.json"],
  ...["vite.config.ts", "react-router.config.ts", "tsconfig.json"],
];

export interface DevCheckout {
  url: string;
  /** Starts the store and waits until it has compiled a page. */
  start(environment?: Record<string, string>): Promise<void>;
  /** Stops the store; resolves with the exit status. */
  stop(): Promise<number | null>;
  edit(file: string, from: string, to: string): void;
  remove(): void;
}

export async function copyCheckout(): Promise<DevCheckout> {
  // below this checkout, where Node finds its packages
  mkdirSync("build", { recursive: true });
  const folder = mkdtempSync(join(process.cwd(), "build", "dev-"));
  for (const name of COPIED) cpSync(name, join(folder, name), { recursive: true });
  const PORT = String(await freePort());
  const url = `http://localhost:${PORT}`;
  let store: ChildProcess;
  return {
    url,
    async start(environment) {
      store = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", "server/main.ts"], {
        cwd: folder,
        env: {
          PATH: process.env.PATH,
          NODE_ENV: "development",
          NODE_COMPILE_CACHE: join(folder, "compiled"),
          PORT,
          DATA_DIR: join(folder, "data"),
          ...environment,
        },
        stdio: ["ignore", "ignore", "inherit"],
      });
      const isOpen = () =>
        fetch(`${url}/login`).then(
          ({ ok }) => ok,
          () => false,
        );
      while (!(await isOpen())) {
        if (store.exitCode !== null) throw new Error(`The store ended with status ${store.exitCode}.`);
        await new Promise((done) => setTimeout(done, 20));
      }
    },
    async stop() {
      const ended = new Promise<number | null>((done) => store.once("exit", done));
      store.kill("SIGTERM");
      return ended;
    },
    edit(file, from, to) {
      const path = join(folder, file);
      const code = readFileSync(path, "utf8");
      if (!code.includes(from)) throw new Error(`${file} has no ${from}`);
      writeFileSync(path, code.replace(from, to));
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}
