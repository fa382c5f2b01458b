/**
 * Buyers who order, pay and cancel at the nodes of a store until all its products are sold, and a record of their
 * requests. Some leave before the response, some never try again, some pay and cancel at once.
 */
import { setTimeout as pause } from "node:timers/promises";
import { type CallName, contract } from "../../api/contract.ts";
import { refusals } from "../../shop/texts/refusals.ts";
import { clientOf, type Parts, type Reply, replyOf, urlOf } from "../harness/client.ts";
import type { SignedIn } from "../harness/users.ts";
import type { Attempt } from "./check-history.ts";
import type { FleetNode } from "./node.ts";

export interface RecordedRequest {
  key: string;
  call: string;
  /** the index of the node */
  node: number;
  startedAt: number;
  endedAt: number;
  /** undefined if the connection was lost or the buyer left */
  reply: Reply | undefined;
}

interface Buyers {
  requests: RecordedRequest[];
  history: Attempt[];
  /** Whether an order of each product was refused. */
  isSoldOut(): boolean;
  /** Resolves when the orders in progress are over. */
  stop(): Promise<void>;
}

interface Options {
  nodes: FleetNode[];
  account: SignedIn;
  productIds: string[];
}

/** How a buyer sends the requests of one order. */
interface RequestOptions {
  key: string;
  retries: boolean;
  deadline: number;
  timeout: number;
}

const BUYERS = 6;
const GIVE_UP_MS = 12_000;
const TIMEOUT_MS = 10_000;
const RETRY_MS = 100;

export function startBuyers({ nodes, account, productIds }: Options): Buyers {
  const requests: RecordedRequest[] = [];
  const history: Attempt[] = [];
  const soldOut = new Set<string>();
  let isOver = false;
  let next = 0;

  /** Sends to one node after the other. A request whose outcome is unknown is repeated unless `retries` is false. */
  async function sendUntilAnswered(
    { key, retries, deadline, timeout }: RequestOptions,
    call: string,
    send: (node: FleetNode, signal: AbortSignal) => Promise<Reply>,
  ): Promise<Reply | undefined> {
    for (;;) {
      next += 1;
      const node = next % nodes.length;
      const startedAt = performance.now();
      const signal = AbortSignal.timeout(timeout);
      const reply = await send(nodes[node] as FleetNode, signal).catch(() => undefined);
      requests.push({ key, call, node, startedAt, endedAt: performance.now(), reply });
      if (reply && reply.status !== 503 && !isRunning(reply)) return reply;
      if (!retries || performance.now() > deadline) return undefined;
      await pause(RETRY_MS);
    }
  }

  const send = (name: CallName, parts: Parts, key?: string) => async (node: FleetNode, signal: AbortSignal) =>
    replyOf(
      await clientOf(node, account).fetch(urlOf(name, parts), {
        method: contract[name].method,
        signal,
        headers: {
          ...(parts.body !== undefined && { "content-type": "application/json" }),
          ...(key && { "Idempotency-Key": key }),
        },
        ...(parts.body !== undefined && { body: JSON.stringify(parts.body) }),
      }),
    );

  /** One to five lines of one to three pieces each, of products that may be left; now and then of any. */
  function choose(number: number): Attempt["lines"] {
    const left = productIds.filter((id) => !soldOut.has(id));
    const offered = left.length > 0 && number % 8 > 0 ? left : productIds;
    const from = Math.floor(Math.random() * offered.length);
    const several = Math.min(1 + (number % 5), offered.length);
    return Array.from({ length: several }, (_, index) => ({
      productId: offered[(from + index) % offered.length] as string,
      pieces: 1 + ((number + index) % 3),
    }));
  }

  async function buy(key: string, number: number): Promise<void> {
    const startedAt = performance.now();
    const lines = choose(number);
    const leaves = number % 7 === 3;
    const options = {
      key,
      retries: !leaves && number % 5 > 0,
      deadline: startedAt + GIVE_UP_MS,
      timeout: TIMEOUT_MS,
    };
    const sent = lines.map(({ productId, pieces: quantity }) => ({ productId, quantity }));
    const place = send("placeOrder", { body: { address: key, lines: sent } }, key);
    const placed = await sendUntilAnswered(
      leaves ? { ...options, timeout: 2 + (number % 9) } : options,
      "place",
      place,
    );
    const attempt: Attempt = { key, lines, startedAt, endedAt: performance.now(), outcome: "unknown" };
    history.push(attempt);
    if (!placed) return;
    if (placed.status !== 200) {
      const problems: { index: number; stock: number }[] = placed.body.lines ?? [];
      attempt.outcome = "refused";
      attempt.shortages = Object.fromEntries(
        problems.map(({ index, stock }) => [lines[index]?.productId ?? "", stock]),
      );
      for (const productId of Object.keys(attempt.shortages)) soldOut.add(productId);
      return;
    }
    const { _id: orderId, total } = placed.body;
    attempt.outcome = "placed";
    attempt.orderId = orderId;
    const cancels = number % 3 === 2;
    const pays = !cancels || number % 2 === 0;
    if (!pays) return cancel(attempt, options);
    const opened = await sendUntilAnswered(
      options,
      "open payment",
      send("createPaymentIntent", { body: { total, orderId } }),
    );
    const [, paid] = await Promise.all([
      cancels && cancel(attempt, options),
      opened?.status === 200 && pay(orderId, opened.body.clientSecret, options),
    ]);
    attempt.paid = paid;
  }

  async function cancel(attempt: Attempt, options: RequestOptions): Promise<void> {
    const startedAt = performance.now();
    const call = send("cancelOrder", { params: { id: attempt.orderId as string } }, `cancel-${options.key}`);
    const reply = await sendUntilAnswered(options, "cancel", call);
    const isWhole = reply?.body.deletedCount === attempt.lines.length;
    const outcome =
      !reply || (reply.status === 200 && !isWhole)
        ? "unknown"
        : reply.status === 200
          ? "cancelled"
          : "refused";
    attempt.cancellation = { startedAt, endedAt: performance.now(), outcome };
  }

  /** Whether the payment was acknowledged. */
  async function pay(orderId: string, secret: string, options: RequestOptions): Promise<boolean> {
    const transactionId = secret.split("_secret")[0] as string;
    const confirmed = await sendUntilAnswered(options, "confirm card", (node, signal) =>
      confirm(node, transactionId, secret, signal),
    );
    // else an earlier attempt was committed, and its response was lost, or the order is cancelled
    const isCharged =
      confirmed?.status === 200 || confirmed?.body.error?.code === "payment_intent_unexpected_state";
    if (!isCharged) return false;
    const report = send("confirmPayment", { params: { id: orderId }, body: { transactionId } });
    return (await sendUntilAnswered(options, "report payment", report))?.status === 200;
  }

  const buyers = Array.from({ length: BUYERS }, async (_, index) => {
    for (let number = index; !isOver; number += 1) await buy(`buyer-${index}-${number}`, number);
  });
  return {
    requests,
    history,
    isSoldOut: () => soldOut.size === productIds.length,
    async stop() {
      isOver = true;
      await Promise.all(buyers);
    },
  };
}

/** An earlier attempt under the same key has not ended. */
export function isRunning({ status, body }: Reply): boolean {
  return status === 409 && body.detail === refusals.requestRunning;
}

async function confirm(
  { url }: FleetNode,
  intent: string,
  secret: string,
  signal: AbortSignal,
): Promise<Reply> {
  const card = { number: "4242424242424242", exp_month: "12", exp_year: "2034", cvc: "123" };
  const body = new URLSearchParams({ client_secret: secret, "payment_method_data[type]": "card" });
  for (const [name, value] of Object.entries(card)) body.set(`payment_method_data[card][${name}]`, value);
  const path = `/sandbox/stripe/v1/payment_intents/${intent}/confirm`;
  return replyOf(await fetch(url + path, { method: "POST", body, signal }));
}
