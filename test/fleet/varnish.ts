/** A Varnish with ops/varnish/default.vcl in front of a store. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const varnishd = ["/usr/sbin/varnishd", "/usr/local/sbin/varnishd"].find((path) => existsSync(path));
const hasXkey = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib"].some((folder) =>
  existsSync(`${folder}/varnish/vmods/libvmod_xkey.so`),
);

/** Whether varnish and varnish-modules are installed. */
export const hasVarnish = varnishd !== undefined && hasXkey;

/** Starts Varnish on `port` in front of the store at `origin`; the returned function ends it. */
export async function startVarnish(port: number, origin: number): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "stator-varnish-"));
  const example = await readFile(join(import.meta.dirname, "../../ops/varnish/default.vcl"), "utf8");
  const vcl = join(folder, "default.vcl");
  await writeFile(vcl, example.replace('.port = "3000"', `.port = "${origin}"`));
  const listen = `127.0.0.1:${port}`;
  const child = spawn(
    varnishd as string,
    [
      "-F",
      "-j",
      "none",
      "-n",
      join(folder, "work"),
      "-a",
      listen,
      "-f",
      vcl,
      "-s",
      "malloc,32m",
      "-T",
      "none",
    ],
    { stdio: ["ignore", "pipe", "pipe"] },
  );
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (bytes) => (output += bytes));
  const exited = new Promise((done) => child.once("exit", done));
  const stop = async () => {
    child.kill("SIGTERM");
    await exited;
    await rm(folder, { recursive: true, force: true });
  };
  for (let tries = 0; child.exitCode === null && tries < 300; tries += 1) {
    const opened = await fetch(`http://${listen}/purge`, { method: "POST" }).catch(() => null);
    if (opened) return stop;
    await new Promise((next) => setTimeout(next, 100));
  }
  await stop();
  throw new Error(`Varnish did not open: ${output}`);
}
