/** The steps, which may follow each other in any order. Each acts on the model and the real shop. */
import fc from "fast-check";
import type { Model } from "./model.ts";
import type { Real } from "./real.ts";
import { lateYes, processorCancels, restart } from "./steps/breaking.ts";
import { cancel, expire, place, remind } from "./steps/buying.ts";
import { confirm, open, settle, sweep, webhook } from "./steps/paying.ts";
import { bankReturns, settleAnotherWay, tryAgain } from "./steps/returning.ts";
import { changePrice, refund, remove, ship, unship } from "./steps/selling.ts";

/** Sequences of all steps, the productive ones more often. */
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
      unship,
      refund,
      bankReturns,
      tryAgain,
      settleAnotherWay,
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
