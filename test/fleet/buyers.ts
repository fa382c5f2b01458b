/** Buyers who place and pay for one lot after the other at the nodes of a store, and a record of their requests. */
import { setTimeout as pause } from "node:timers/promises";
import { clientOf, type Reply, replyOf } from "../harness/client.ts";
import type { SignedIn } from "../harness/people.ts";
import type { Placement } from "./check-history.ts";
import type { FleetNode } from "./node.ts";

export interface RecordedRequest {
  key: string;
  call: string;
  /** the index of the node */
  node: number;
  begun: number;
  ended: number;
  /** undefined if the connection was lost */
  reply: Reply | undefined;
}

interface Buyers {
  requests: RecordedRequest[];
  history: Placement[];
  /** Resolves when the purchases in progress are over. */
  stop(): Promise<void>;
}

interface Options {
  nodes: FleetNode[];
  account: SignedIn;
  productId: string;
}

const BUYERS = 6;
const GIVE_UP_MS = 12_000;
const RETRY_MS = 100;

export function startBuyers({ nodes, account, productId }: Options): Buyers {
  const requests: RecordedRequest[] = [];
  const history: Placement[] = [];
  let isOver = false;
  let turn = 0;

  /** At the nodes in turn. A request whose outcome is unknown is sent again unless `retries` is false. */
  async function insist(
    { key, retries, deadline }: { key: string; retries: boolean; deadline: number },
    call: string,
    send: (node: FleetNode) => Promise<Reply>,
  ): Promise<Reply | undefined> {
    for (;;) {
      turn += 1;
      const node = turn % nodes.length;
      const begun = performance.now();
      const reply = await send(nodes[node] as FleetNode).catch(() => undefined);
      requests.push({ key, call, node, begun, ended: performance.now(), reply });
      if (reply && reply.status !== 503) return reply;
      if (!retries || performance.now() > deadline) return undefined;
      await pause(RETRY_MS);
    }
  }

  async function buyOne(key: string, retries: boolean): Promise<Placement> {
    const begun = performance.now();
    const attempt = { key, retries, deadline: begun + GIVE_UP_MS };
    const ask =
      (...call: Parameters<SignedIn["ask"]>) =>
      (node: FleetNode) =>
        clientOf(node, account).ask(...call);
    const body = { address: key, purchaseQuantity: 1, productId };
    const place = ask("placePurchase", { body }, { "Idempotency-Key": key });
    const placed = await insist(attempt, "place", place);
    const ended = performance.now();
    if (!placed) return { key, begun, ended, outcome: "unknown" };
    if (placed.status !== 200) return { key, begun, ended, outcome: "soldOut" };
    const { _id: purchaseId, total } = placed.body;
    const known = { key, begun, ended, outcome: "placed", purchaseId } as const;
    const open = ask("createPaymentIntent", { body: { total, purchaseId } });
    const opened = await insist(attempt, "open payment", open);
    if (opened?.status !== 200) return known;
    const secret: string = opened.body.clientSecret;
    const transactionId = secret.split("_secret")[0] as string;
    const confirmed = await insist(attempt, "confirm card", (node) => confirm(node, transactionId, secret));
    // else an earlier attempt was committed, and its response was lost
    const isCharged =
      confirmed?.status === 200 || confirmed?.body.error?.code === "payment_intent_unexpected_state";
    if (!isCharged) return known;
    const report = ask("confirmPayment", { params: { id: purchaseId }, body: { transactionId } });
    const paid = await insist(attempt, "report payment", report);
    return { ...known, paid: paid?.status === 200 };
  }

  const buyers = Array.from({ length: BUYERS }, async (_, index) => {
    for (let number = 0; !isOver; number += 1)
      history.push(await buyOne(`buyer-${index}-${number}`, number % 5 !== 0));
  });
  return {
    requests,
    history,
    async stop() {
      isOver = true;
      await Promise.all(buyers);
    },
  };
}

async function confirm({ url }: FleetNode, intent: string, secret: string): Promise<Reply> {
  const card = { number: "4242424242424242", exp_month: "12", exp_year: "2034", cvc: "123" };
  const body = new URLSearchParams({ client_secret: secret, "payment_method_data[type]": "card" });
  for (const [name, value] of Object.entries(card)) body.set(`payment_method_data[card][${name}]`, value);
  const path = `/sandbox/stripe/v1/payment_intents/${intent}/confirm`;
  return replyOf(await fetch(url + path, { method: "POST", body }));
}
