/** Attempts that are counted, uncounted and deleted concurrently, on real PostgreSQL. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { openRateLimiter, type Rule } from "../../server/auth/rate-limiter.ts";
import { openStore, type TestStore } from "../harness/store.ts";

let store: TestStore;
beforeAll(async () => {
  store = await openStore();
});
afterAll(() => store.stop());

const ROUNDS = 2000;

test.each([
  ["while their counters expire", 0],
  ["while their counters last", 600],
])("sign-ins from one network do not deadlock %s", async (_, seconds) => {
  const limits = openRateLimiter(store.pool, true);
  const rules = (of: string) =>
    ["login", "login-account", "login-pair"].map((what): Rule => ({ what, of, max: 1_000_000, seconds }));
  let left = ROUNDS;
  const signIn = async () => {
    while (left-- > 0) {
      const counted = rules(`${seconds} ${left % 2}`);
      await limits.take(counted);
      await limits.recordSuccess(counted, []);
    }
  };
  const forget = async () => {
    while (left > 0) await limits.deleteExpired();
  };
  await Promise.all([...Array.from({ length: 12 }, signIn), forget()]);
  expect(left).toBeLessThan(0);
});
