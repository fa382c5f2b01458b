/** The steps that may follow each other in any order. Each does the same to the model and to the real shop. */
import fc from "fast-check";
import { expect } from "vitest";
import { openPayment } from "../../shop/payments/open.ts";
import { refundPurchase } from "../../shop/payments/refund.ts";
import { settlePurchase } from "../../shop/payments/settle-by-page.ts";
import { sweepPayments } from "../../shop/payments/sweep.ts";
import { deleteProduct } from "../../shop/products/delete.ts";
import { cancelPurchase } from "../../shop/purchases/cancel.ts";
import { expireUnpaidPurchases } from "../../shop/purchases/expire.ts";
import { placePurchase } from "../../shop/purchases/place.ts";
import { remindOfExpiry } from "../../shop/purchases/remind.ts";
import { shipPurchase } from "../../shop/purchases/ship.ts";
import { afterStep } from "../../shop/purchases/states.ts";
import { isRefusal } from "../../shop/refusal.ts";
import { payByPage } from "../payment/world.ts";
import { hear, lastIntent, look, type Model, type ModelPurchase, totalOf, withdraw } from "./model.ts";
import { expectSame, HOLD_HOURS, type Real, startStore, succeedAfterAll, tellOfEvent } from "./real.ts";

type Step = fc.AsyncCommand<Model, Real, true>;

/** How often each kind of step was taken, by its first word: a test of nothing would have few. */
export const taken = new Map<string, number>();

/** A step with its words for a counterexample; afterwards model and shop must be the same. */
function step(
  words: string,
  run: (model: Model, real: Real) => Promise<void>,
  check: (model: Model) => boolean = () => true,
): Step {
  return {
    toString: () => words,
    check: async (model) => check(model),
    run: async (model, real) => {
      const kind = words.replace(/ [\d~].*/, "");
      taken.set(kind, (taken.get(kind) ?? 0) + 1);
      await run(model, real);
      await expectSame(model, real);
    },
  };
}

/** A step with one of the purchases that it can be taken with. */
function withPurchase(
  words: string,
  at: number,
  run: (purchase: ModelPurchase, model: Model, real: Real) => Promise<void>,
  check: (purchase: ModelPurchase) => boolean = () => true,
): Step {
  const pick = ({ purchases }: Model) => {
    const fitting = purchases.filter(check);
    return fitting[at % Math.max(fitting.length, 1)];
  };
  return step(
    `${words} ~${at}`,
    (model, real) => run(pick(model) as ModelPurchase, model, real),
    (model) => pick(model) !== undefined,
  );
}

const at = fc.nat(7);

interface Order {
  which: number;
  who: number;
  quantity: number;
  offByCents: number;
}

/** Places a purchase in the model and in the shop, or has it refused by both. */
export async function order(model: Model, { store }: Real, { which, who, quantity, offByCents }: Order) {
  const product = model.products[which]!;
  const buyer = model.buyers[who]!;
  const price = (product.cents + offByCents) / 100;
  const form = { address: "Unit 6", phone: "", productId: product.id, purchaseQuantity: quantity, price };
  const placed = await placePurchase(store, buyer, form);
  const inStock = quantity >= product.minimum && quantity <= product.stock;
  expect(isRefusal(placed)).toBe(product.archived || offByCents !== 0 || !inStock);
  if (isRefusal(placed)) return;
  product.stock -= quantity;
  const { _id: id } = placed;
  const fresh = { intents: [], refundedCents: 0, returned: false, mails: ["purchasePlaced"] };
  model.purchases.push({ id, buyer, product, quantity, cents: product.cents, state: "unpaid", ...fresh });
}

const place = fc
  .record({
    which: fc.nat(1),
    who: fc.nat(1),
    quantity: fc.integer({ min: 1, max: 14 }),
    offByCents: fc.constantFrom(0, 0, 0, 1),
  })
  .map((given) =>
    step(
      `place ${given.quantity} of product ${given.which}${given.offByCents ? " at an old price" : ""}`,
      (model, real) => order(model, real, given),
    ),
  );

const open = at.map((n) =>
  withPurchase("open the payment page of", n, async (purchase, _model, { store }) => {
    const opened = await openPayment(store, purchase.buyer, {
      total: totalOf(purchase) / 100,
      purchaseId: purchase.id,
    });
    const known = purchase.intents.find(({ here }) => here === "open");
    if (purchase.state === "unpaid" && known?.there === "succeeded") {
      hear(purchase, known);
      return expect(opened).toMatchObject({ refused: "conflict" });
    }
    if (purchase.state !== "unpaid") return expect(isRefusal(opened)).toBe(true);
    const { clientSecret } = opened as { clientSecret: string };
    if (known) look(purchase, known);
    if (known?.here === "open") return expect(clientSecret).toBe(known.clientSecret);
    purchase.intents.push({
      id: clientSecret.split("_secret_")[0]!,
      clientSecret,
      there: "open",
      here: "open",
    });
  }),
);

const cards = {
  good: "4242424242424242",
  declined: "4000000000000002",
  challenge: "4000002500003155",
} as const;

const confirm = fc
  .tuple(at, fc.constantFrom("good", "good", "good", "declined", "challenge" as const))
  .map(([n, card]) =>
    withPurchase(
      `confirm a ${card} card for`,
      n,
      async (purchase, _model, { world }) => {
        const intent = lastIntent(purchase)!;
        const answer = await payByPage(world, intent, cards[card]);
        const succeeds = intent.there === "open" && card === "good";
        expect(answer.body.status === "succeeded").toBe(succeeds);
        if (succeeds) intent.there = "succeeded";
      },
      (purchase) => purchase.intents.length > 0,
    ),
  );

const settle = at.map((n) =>
  withPurchase(
    "tell the store by page of",
    n,
    async (purchase, _model, { store }) => {
      const intent = lastIntent(purchase)!;
      const settled = await settlePurchase(store, purchase.buyer, purchase.id, intent.id);
      const [was, before] = [purchase.state, intent.here];
      if (was !== "cancelled") hear(purchase, intent);
      if (intent.here !== "succeeded") return expect(isRefusal(settled)).toBe(true);
      expect(settled).toEqual({ modifiedCount: before === "succeeded" ? 0 : 1, transactionId: intent.id });
    },
    (purchase) => purchase.intents.length > 0,
  ),
);

/** Any event the processor ever made, late, doubled or in another order; the last one of all is the newest. */
const webhook = fc.tuple(at, fc.nat(3), fc.nat(3)).map(([n, whichIntent, whichEvent]) =>
  withPurchase(
    `deliver event ${whichEvent} of intent ${whichIntent} of`,
    n,
    async (purchase, _model, real) => {
      const intent = purchase.intents[whichIntent % purchase.intents.length]!;
      await tellOfEvent(real, intent.id, whichEvent);
      const { rowCount } = await real.world.pool.query(
        "SELECT FROM sandbox.event WHERE snapshot->>'id' = $1",
        [intent.id],
      );
      if (rowCount) look(purchase, intent);
    },
    (purchase) => purchase.intents.length > 0,
  ),
);

const cancel = fc.tuple(at, fc.boolean()).map(([n, byAdmin]) =>
  withPurchase(
    `cancel ${byAdmin ? "by an admin" : "by the buyer"}`,
    n,
    async (purchase, model, { store }) => {
      const cancelled = await cancelPurchase(store, byAdmin ? model.admin : purchase.buyer, purchase.id);
      const done = afterStep(purchase.state, "cancel") !== null && withdraw(purchase, "purchaseCancelled");
      expect(isRefusal(cancelled)).toBe(!done);
    },
  ),
);

const expire = at.map((n) =>
  withPurchase("let the time run out of", n, async (purchase, _model, { store }) => {
    await backdate(store.pool, purchase, HOLD_HOURS + 1);
    await expireUnpaidPurchases(store);
    if (afterStep(purchase.state, "expire")) withdraw(purchase, "purchaseExpired");
  }),
);

const remind = at.map((n) =>
  withPurchase("come near the end of the time of", n, async (purchase, _model, { store }) => {
    await backdate(store.pool, purchase, HOLD_HOURS - 1);
    await remindOfExpiry(store);
    const told = purchase.mails.includes("purchaseExpiresSoon");
    if (purchase.state === "unpaid" && !told) purchase.mails.push("purchaseExpiresSoon");
  }),
);

const ship = at.map((n) =>
  withPurchase("ship", n, async (purchase, _model, { store }) => {
    const shipped = await shipPurchase(store, purchase.id);
    const whole = purchase.refundedCents === totalOf(purchase) || purchase.returned;
    const next = whole ? null : afterStep(purchase.state, "ship");
    expect(isRefusal(shipped)).toBe(next === null);
    if (next === null) return;
    purchase.state = next;
    purchase.mails.push("purchaseShipped");
  }),
);

const refund = fc
  .tuple(at, fc.integer({ min: 1, max: 4000 }), fc.boolean(), fc.boolean())
  .map(([n, asked, whole, back]) =>
    withPurchase(
      `refund ${whole ? "all" : `${asked} cents`}${back ? " with the goods" : ""} twice under one request`,
      n,
      async (purchase, model, { store }) => {
        const request = crypto.randomUUID();
        const form = { reason: "As agreed.", returnToStock: back, ...(!whole && { amount: asked / 100 }) };
        const ask = () => refundPurchase(store, model.admin, purchase.id, form, request);
        const left = totalOf(purchase) - purchase.refundedCents;
        const cents = whole ? left : asked;
        const allowed =
          afterStep(purchase.state, "refund") !== null &&
          left > 0 &&
          cents <= left &&
          !(back && purchase.returned);
        const made = await ask();
        expect(isRefusal(made)).toBe(!allowed);
        if (!allowed) return;
        expect(await ask()).toEqual(made);
        purchase.refundedCents += cents;
        purchase.mails.push("refundIssued");
        if (!back) return;
        purchase.returned = true;
        purchase.product.stock += purchase.quantity;
      },
    ),
  );

const changePrice = fc.tuple(fc.nat(1), fc.integer({ min: 100, max: 2000 })).map(([which, cents]) =>
  step(`change the price of product ${which} to ${cents}`, async ({ products }, { world }) => {
    await world.pool.query("UPDATE shop.product SET price_cents = $2, version = version + 1 WHERE id = $1", [
      products[which]!.id,
      cents,
    ]);
    products[which]!.cents = cents;
  }),
);

const remove = fc.nat(1).map((which) =>
  step(`delete product ${which}`, async ({ products }, { store }) => {
    const product = products[which]!;
    expect(isRefusal(await deleteProduct(store, product.id))).toBe(product.archived);
    product.archived = true;
  }),
);

const processorCancels = at.map((n) =>
  withPurchase(
    "let the processor cancel the open payment of",
    n,
    async (purchase, _model, { world }) => {
      const intent = lastIntent(purchase)!;
      await world.payments.cancelIntent(intent.id);
      intent.there = "canceled";
    },
    (purchase) => lastIntent(purchase)?.there === "open",
  ),
);

const cancelledOf = ({ intents }: ModelPurchase) =>
  intents.find(({ here, there }) => here === "cancelled" && there === "canceled");

const lateYes = at.map((n) =>
  withPurchase(
    "let the bank say yes after all to a cancelled payment of",
    n,
    async (purchase, _model, real) => {
      const intent = cancelledOf(purchase)!;
      await succeedAfterAll(real, intent.id);
      intent.there = "succeeded";
    },
    (purchase) => cancelledOf(purchase) !== undefined,
  ),
);

const sweep = fc.constant(null).map(() =>
  step("sweep", async ({ purchases }, { world, store }) => {
    await world.pool.query(
      "UPDATE shop.payment SET checked_at = now() - interval '1 minute' WHERE status = 'open'",
    );
    await sweepPayments(store, 1000);
    for (const purchase of purchases) {
      for (const intent of purchase.intents.filter(({ here }) => here === "open")) {
        if (purchase.state !== "unpaid" && intent.there === "open") intent.there = "canceled";
        look(purchase, intent);
      }
    }
  }),
);

const restart = fc.constant(null).map(() =>
  step("restart", async (_model, real) => {
    real.store = startStore(real.world);
  }),
);

async function backdate(pool: Real["store"]["pool"], { id }: ModelPurchase, hours: number): Promise<void> {
  await pool.query("UPDATE shop.purchase SET placed_at = now() - make_interval(hours => $2) WHERE id = $1", [
    id,
    hours,
  ]);
}

/** Sequences of all steps, those that lead somewhere more often. */
export const steps = (maxCommands: number) =>
  fc.commands<Model, Real, true>(
    [
      place,
      place,
      open,
      open,
      confirm,
      confirm,
      settle,
      webhook,
      cancel,
      expire,
      remind,
      ship,
      refund,
      changePrice,
      remove,
      processorCancels,
      processorCancels,
      lateYes,
      sweep,
      restart,
    ],
    { maxCommands, size: "max" },
  );
