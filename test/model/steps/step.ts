/** What a step is: it does the same to the model and to the real shop, and afterwards both must be the same. */
import fc from "fast-check";
import type { Model, ModelPurchase } from "../model.ts";
import { expectSame, type Real } from "../real.ts";

export type Step = fc.AsyncCommand<Model, Real, true>;

/** How often each kind of step was taken, by its first word: a test of nothing would have few. */
export const taken = new Map<string, number>();

/** A step with its words for a counterexample; afterwards model and shop must be the same. */
export function step(
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
export function withPurchase(
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

/** Which of the purchases, or payments, that a step can be taken with. */
export const at = fc.nat(7);
