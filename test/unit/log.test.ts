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

test("a long email is logged at once", () => {
  const before = performance.now();
  for (const sign of ["a", "%40", "@", "/a"]) logged(`/${sign.repeat(16_000 / sign.length)}`);
  expect(performance.now() - before).toBeLessThan(100);
});
