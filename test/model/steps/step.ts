/** A step acts on the model and the real shop, which must match afterwards. */
import fc from "fast-check";
import type { Model, ModelPurchase } from "../model.ts";
import { expectMatch, type Real } from "../real.ts";

export type Step = fc.AsyncCommand<Model, Real, true>;

/** How often each kind of step was taken: an ineffective test would have few. */
export const taken = new Map<string, number>();

/** A step with its label for a counterexample; afterwards model and shop must match. */
export function step(
  label: string,
  run: (model: Model, real: Real) => Promise<void>,
  check: (model: Model) => boolean = () => true,
): Step {
  return {
    toString: () => label,
    check: async (model) => check(model),
    run: async (model, real) => {
      const kind = label.replace(/ [\d~].*/, "");
      taken.set(kind, (taken.get(kind) ?? 0) + 1);
      await run(model, real);
      await expectMatch(model, real);
    },
  };
}

/** A step with one of the purchases for which it is possible. */
export function withPurchase(
  label: string,
  at: number,
  run: (purchase: ModelPurchase, model: Model, real: Real) => Promise<void>,
  check: (purchase: ModelPurchase) => boolean = () => true,
): Step {
  const pick = ({ purchases }: Model) => {
    const fitting = purchases.filter(check);
    return fitting[at % Math.max(fitting.length, 1)];
  };
  return step(
    `${label} ~${at}`,
    (model, real) => run(pick(model) as ModelPurchase, model, real),
    (model) => pick(model) !== undefined,
  );
}

/** The purchases, or payments, for which a step is possible. */
export const at = fc.nat(7);
