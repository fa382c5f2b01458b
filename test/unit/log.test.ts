import { spawnSync } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { openLog } from "../../server/log.ts";

/** The URL of a request as it is logged. */
function logged(url: string): string {
  let line = "";
  openLog("info", { write: (text) => (line += text) }).info({ req: { method: "GET", url } });
  return JSON.parse(line).req.url;
}

test.each([
  ["/user/ada@example.com", "/user/(email)"],
  ["/user/ada%40example.com/orders?email=x", "/user/(email)/orders?email"],
  ["/a@b@c/d@e", "/(email)@c/(email)"],
  ["/tools?q=drill", "/tools?q"],
])("%s is logged as %s", (url, expected) => {
  expect(logged(url)).toBe(expected);
});

test("an error is logged with what caused it, unless its own message says so", () => {
  const record = (error: Error): { message: string; cause?: string } => {
    let line = "";
    openLog("info", { write: (text) => (line += text) }).error(error);
    return JSON.parse(line).err;
  };
  const refused = Object.assign(new AggregateError([]), { code: "ECONNREFUSED" });
  const failed = new TypeError("fetch failed for ada@example.com", { cause: refused });
  expect(record(new Error("The picture storage failed.", { cause: failed }))).toMatchObject({
    message: "The picture storage failed.",
    cause: "fetch failed for (email): ECONNREFUSED",
  });
  expect(record(new Error("no connection: timeout", { cause: new Error("timeout") })).cause).toBeUndefined();
});

/** Runs this after `log` is opened on a standard output; returns the status and the lines of the error output. */
function runWithOutput(output: number | "pipe", script: string) {
  const opened = `
    import { continueWithoutOutput, openLog, openStandardOutput } from "./server/log.ts";
    import { print } from "./server/command.ts";
    continueWithoutOutput();
    const log = openLog("warn", openStandardOutput());
    ${script}
    console.error("it continues");
    process.exit();`;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", "--input-type=module", "--eval", opened],
    { stdio: ["ignore", output, "pipe"], encoding: "utf8", timeout: 50_000 },
  );
  return { status, stdout, stderr: stderr.trim().split("\n") };
}

describe.runIf(process.platform === "linux")("a full disk of the output does not end the process", () => {
  const lost =
    "The output cannot be written, and the store continues: ENOSPC: no space left on device, write";
  const runOnFullDisk = (script: string) => {
    const output = openSync("/dev/full", "w");
    const { status, stderr } = runWithOutput(output, script);
    closeSync(output);
    return { status, stderr };
  };

  test("which runs on", () => {
    const script = `
      print("Stator is open");
      for (let line = 0; line < 10; line += 1) {
        log.warn("a line of the log");
        await new Promise(setImmediate);
      }`;
    expect(runOnFullDisk(script)).toEqual({ status: 0, stderr: [lost, "it continues"] });
  });

  test("nor keep it from its exit before the first line is known to be lost", () => {
    const script = `for (let line = 0; line < 10; line += 1) log.warn("a line of the log");`;
    expect(runOnFullDisk(script)).toEqual({ status: 0, stderr: ["it continues", lost] });
  });
});

test("lines that wait at the exit are written", () => {
  const { stdout } = runWithOutput(
    "pipe",
    `for (let line = 1; line <= 2000; line += 1) log.warn("line " + line);`,
  );
  const numbers = [...stdout.matchAll(/"line (\d+)"/g)].map(([, number]) => Number(number));
  // the first is on its way, and does not wait
  expect(numbers.filter((number) => number > 1)).toEqual(
    Array.from({ length: 1999 }, (_, index) => index + 2),
  );
});

test("a long email is logged at once", () => {
  const before = process.threadCpuUsage();
  for (const sign of ["a", "%40", "@", "/a"]) logged(`/${sign.repeat(16_000 / sign.length)}`);
  // not the time on the clock, in which other processes run
  expect(process.threadCpuUsage(before).user / 1000).toBeLessThan(100);
});
