import { spawnSync } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { expect, test } from "vitest";
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

test.runIf(process.platform === "linux")("a full disk of the output does not end the process", () => {
  const output = openSync("/dev/full", "w");
  const script = `
    import { continueWithoutOutput, openLog, openStandardOutput } from "./server/log.ts";
    import { print } from "./server/command.ts";
    continueWithoutOutput();
    print("Stator is open");
    const log = openLog("warn", openStandardOutput());
    for (let line = 0; line < 10; line += 1) {
      log.warn("a line of the log");
      await new Promise(setImmediate);
    }
    console.error("it continues");
    process.exit();`;
  const { status, stderr } = spawnSync(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", "--input-type=module", "--eval", script],
    { stdio: ["ignore", output, "pipe"], encoding: "utf8", timeout: 10_000 },
  );
  closeSync(output);
  expect([status, stderr.trim().split("\n")]).toEqual([
    0,
    [
      "The output cannot be written, and the store continues: ENOSPC: no space left on device, write",
      "it continues",
    ],
  ]);
});

test("a long email is logged at once", () => {
  const before = performance.now();
  for (const sign of ["a", "%40", "@", "/a"]) logged(`/${sign.repeat(16_000 / sign.length)}`);
  expect(performance.now() - before).toBeLessThan(100);
});
