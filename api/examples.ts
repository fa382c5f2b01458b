/** A recorded request and response for every call (test/http/examples.test.ts). */
import type { CallName } from "./contract.ts";
import recorded from "./examples.json" with { type: "json" };

export interface Example {
  url: string;
  body?: unknown;
  output: unknown;
}

export const examples = recorded as Partial<Record<CallName, Example>>;
