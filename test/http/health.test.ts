import { createServer } from "node:net";
import Fastify from "fastify";
import pg from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { addHealth, recentDatabaseErrors } from "../../server/http/health.ts";

test("/readyz is 503 when the database accepts connections and does not respond", async () => {
  const silent = createServer(() => undefined);
  await new Promise<void>((listening) => silent.listen(0, "127.0.0.1", listening));
  const { port } = silent.address() as { port: number };
  const pool = new pg.Pool({ host: "127.0.0.1", port });
  const app = Fastify();
  addHealth(app, { pool, databaseErrors: recentDatabaseErrors() });
  const { statusCode } = await app.inject("/readyz");
  expect(statusCode).toBe(503);
  await app.close();
  silent.close();
});

test("a full disk is forgotten after a minute, also if the clock is set back", () => {
  vi.useFakeTimers({ toFake: ["Date", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const { record, isDiskFull } = recentDatabaseErrors();
  expect(isDiskFull()).toBe(false);
  record(Object.assign(new pg.DatabaseError("No space left on device", 0, "error"), { code: "53100" }));
  vi.setSystemTime(Date.now() - 3_600_000);
  vi.advanceTimersByTime(59_000);
  expect(isDiskFull()).toBe(true);
  vi.advanceTimersByTime(2000);
  expect(isDiskFull()).toBe(false);
});
