/** The steps, which may follow each other in any order. Each acts on the model and the real shop. */
import fc from "fast-check";
import type { Model } from "./model.ts";
import type { Real } from "./real.ts";
import { lateSuccess, providerCancels, restart } from "./steps/breaking.ts";
import { cancel, expire, place, remind } from "./steps/buying.ts";
import { confirm, confirmOrder, open, poll, webhook } from "./steps/paying.ts";
import { bankRejects, recordManually, retry } from "./steps/returning.ts";
import { changePrice, refund, remove, ship, undoShip } from "./steps/selling.ts";

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
      confirmOrder,
      webhook,
      cancel,
      expire,
      remind,
      ship,
      undoShip,
      refund,
      bankRejects,
      retry,
      recordManually,
      changePrice,
      remove,
      providerCancels,
      providerCancels,
      lateSuccess,
      poll,
      restart,
    ],
    { maxCommands, size: "max" },
  );
