/**
 * The sandbox's responses against Stripe's published schema, from which the official library's types are generated.
 * All responses of a session through all calls are written as literals of their types and compiled; the compiler
 * names each missing or unknown member, and each wrong type or enumeration value.
 */
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { failRefunds } from "@stator/stripe-sandbox/fail-refunds";
import { eventJson } from "@stator/stripe-sandbox/render-event";
import type { EventRow } from "@stator/stripe-sandbox/rows";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cardForm, type Fixture, openFixture, SECRET_KEY } from "./fixture.ts";

const library = resolve("node_modules/stripe");

let fixture: Fixture;
let folder: string;
/** each response with the library's name for its type */
const replies: { type: string; what: string; body: unknown }[] = [];

beforeAll(async () => {
  fixture = await openFixture();
  folder = await mkdtemp(join(tmpdir(), "stator-schema-"));
  await copyTypes();
});
afterAll(async () => {
  await fixture.close();
  await rm(folder, { recursive: true, force: true });
});

/** The library's enumerations allow future values; here only those of the pinned version count. */
async function copyTypes(): Promise<void> {
  await mkdir(join(folder, "stripe"));
  await cp(join(library, "esm"), join(folder, "stripe"), {
    recursive: true,
    filter: (from) => !/\.(js|map)$/.test(from),
  });
  const shared = join(folder, "stripe", "shared.d.ts");
  const open = "type OtherString = string & Record<never, never>;";
  const text = await readFile(shared, "utf8");
  expect(text).toContain(open);
  await writeFile(shared, text.replace(open, "type OtherString = never;"));
}

/** The compiler's errors for literals of these types. */
async function compileErrors(literals: typeof replies): Promise<string[]> {
  const lines = literals.map(
    ({ type, body }, index) => `export const _${index}: ${type} = ${JSON.stringify(body)};`,
  );
  const types = [
    'import type Stripe from "./stripe/stripe.esm.node.js";',
    'import type { StripeRawError } from "./stripe/Types.js";',
    "type List<One> = { object: 'list'; data: One[]; has_more: boolean; url: string };",
    "type Failure = { error: Omit<StripeRawError, 'payment_intent'> & { payment_intent?: Seen } };",
    "// what a page may see of an intent is a part of it",
    "type Seen = Partial<Stripe.PaymentIntent>;",
  ];
  const head = types.length;
  await writeFile(join(folder, "replies.ts"), [...types, ...lines].join("\n"));
  const options = ["--noEmit", "--strict", "--skipLibCheck", "--exactOptionalPropertyTypes"];
  const modules = ["--module", "esnext", "--moduleResolution", "bundler", "--target", "esnext"];
  const typeOptions = ["--types", "node", "--typeRoots", resolve("node_modules/@types")];
  const out = await new Promise<string>((done) => {
    const tsc = resolve("node_modules/.bin/tsc");
    execFile(
      tsc,
      [...options, ...modules, ...typeOptions, "replies.ts"],
      { cwd: folder },
      (_error, stdout, stderr) => done(stdout + stderr),
    );
  });
  return out
    .split("\n")
    .filter((line) => line !== "")
    .map((line) =>
      line.replace(/^replies\.ts\((\d+),\d+\)/, (_, at) => literals[Number(at) - head - 1]?.what ?? at),
    );
}

async function send(type: string, what: string, path: string, form?: Record<string, string>, withKey = true) {
  const headers: Record<string, string> = withKey ? { authorization: `Bearer ${SECRET_KEY}` } : {};
  const reply = await (form ? fixture.post(path, form, headers) : fixture.get(path, headers));
  replies.push({ type, what, body: reply.body });
  return reply.body;
}

const PI = "Stripe.PaymentIntent";

async function open(metadata: Record<string, string> = {}) {
  return send(PI, "a new intent", "/payment_intents", { amount: "12500", currency: "usd", ...metadata });
}

async function confirm(number: string, type = "Seen", what = `card ${number}`) {
  const intent = await open();
  const method = await send("Stripe.PaymentMethod", "a method", "/payment_methods", cardForm(number));
  const form = { client_secret: intent.client_secret, payment_method: method.id };
  await send(type, what, `/payment_intents/${intent.id}/confirm`, form, false);
  await send(PI, `${what}, afterwards`, `/payment_intents/${intent.id}`);
  return intent;
}

test("every response and event of the sandbox has the type that Stripe publishes", async () => {
  const paid = await confirm("4242424242424242");
  await confirm("378282246310005");
  const waiting = await confirm("4000002500003155");
  await confirm("4000000000008880");
  await confirm("4000000000009995", "Failure");
  await confirm("4000000000000069", "Failure");
  const disputed = await confirm("4000000000000259");
  const outcome = { source: waiting.id, client_secret: waiting.client_secret };
  await send("Seen", "a failed challenge", "/3ds2/authenticate", { ...outcome, outcome: "fail" }, false);
  await send(PI, "after a failed challenge", `/payment_intents/${waiting.id}`);
  const expanded = "expand[0]=latest_charge&expand[1]=payment_method";
  await send(PI, "a paid intent in full", `/payment_intents/${paid.id}?${expanded}`);
  const parameters = { "metadata[purchaseId]": "1", description: "Purchase 1", receipt_email: "a@b.example" };
  const changed = await open(parameters);
  await send(PI, "a changed intent", `/payment_intents/${changed.id}`, { amount: "700" });
  const cancellation = { cancellation_reason: "abandoned" };
  await send(PI, "a cancelled intent", `/payment_intents/${changed.id}/cancel`, cancellation);
  await send("Failure", "cancelled again", `/payment_intents/${changed.id}/cancel`, {});
  await send(`List<${PI}>`, "the list of intents", "/payment_intents?limit=100");
  const partial = { payment_intent: paid.id, amount: "500", reason: "requested_by_customer" };
  const refund = await send("Stripe.Refund", "a refund", "/refunds", partial);
  await send("Stripe.Refund", "a refund found", `/refunds/${refund.id}`);
  await send("Failure", "more than is left", "/refunds", { payment_intent: paid.id, amount: "99999" });
  await send("List<Stripe.Refund>", "the list of refunds", `/refunds?payment_intent=${paid.id}`);
  const closed = await confirm("4000000000005126");
  const returned = await send("Stripe.Refund", "a refund that will come back", "/refunds", {
    payment_intent: closed.id,
  });
  expect(await failRefunds(fixture.pool, 0)).toBe(1);
  await send("Stripe.Refund", "a refund that came back", `/refunds/${returned.id}`);
  await send("Failure", "a refund of what is disputed", "/refunds", { payment_intent: disputed.id });
  const { data } = await send("List<Stripe.Dispute>", "the list of disputes", "/disputes");
  const evidence = { "evidence[uncategorized_text]": "losing_evidence" };
  await send("Stripe.Dispute", "a dispute", `/disputes/${data[0].id}`);
  await send("Stripe.Dispute", "a decided dispute", `/disputes/${data[0].id}`, evidence);
  await send("Failure", "no such intent", "/payment_intents/pi_none");
  await send("Failure", "no key", "/payment_intents", undefined, false);
  await send("Failure", "an unknown parameter", "/payment_intents", {
    amount: "500",
    currency: "usd",
    x: "1",
  });

  const events = await fixture.pool.query<EventRow>("SELECT * FROM sandbox.event ORDER BY created_at, id");
  for (const row of events.rows) {
    const body = eventJson(row);
    replies.push({ type: `Extract<Stripe.Event, { type: "${row.type}" }>`, what: row.type, body });
  }
  const kinds = new Set(events.rows.map(({ type }) => type));
  expect([...kinds].sort()).toEqual([
    "charge.dispute.closed",
    "charge.dispute.created",
    "charge.refunded",
    "payment_intent.canceled",
    "payment_intent.payment_failed",
    "payment_intent.processing",
    "payment_intent.requires_action",
    "payment_intent.succeeded",
    "refund.failed",
    "refund.updated",
  ]);
  expect(await compileErrors(replies)).toEqual([]);
}, 300_000);

test("the type check names each deviation", async () => {
  const valid = replies.find(({ what }) => what === "a paid intent in full")?.body as Record<string, unknown>;
  const { livemode, ...lacking } = valid;
  expect(livemode).toBe(false);
  const wrong = [
    { what: "lacking", body: lacking },
    { what: "unknown", body: { ...valid, colour: "red" } },
    { what: "no value of the enumeration", body: { ...valid, status: "thinking" } },
    { what: "of another type", body: { ...valid, created: "today" } },
    { what: "sound", body: valid },
  ];
  const complaints = await compileErrors(wrong.map((one) => ({ type: PI, ...one })));
  const named = new Set(complaints.map((line) => line.split(":")[0]));
  expect([...named].filter((what) => wrong.some((one) => one.what === what))).toEqual([
    "lacking",
    "unknown",
    "no value of the enumeration",
    "of another type",
  ]);
}, 300_000);
