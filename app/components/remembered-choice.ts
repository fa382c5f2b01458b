/** Settings that this browser remembers. The head script applies them before the first paint. */

import { useSyncExternalStore } from "react";
import { createListeners } from "../data/listeners.ts";

export const theme = rememberedChoice("theme", "system", ["light", "dark"]);
export const density = rememberedChoice("density", "comfortable", ["compact"]);
/** Single-key shortcuts: a screen reader or speech input may send characters that are not meant as one. */
export const singleKeys = rememberedChoice("singleKeys", "on", ["off"]);

/** Stores any value but the default under `stator.<name>`, and in `data-<name>` of the document for the stylesheet. */
function rememberedChoice<Default extends string, Alternative extends string>(
  name: string,
  defaultValue: Default,
  alternatives: Alternative[],
) {
  const key = `stator.${name}`;
  const listeners = createListeners();
  const read = (): Default | Alternative =>
    alternatives.find((value) => value === localStorage.getItem(key)) ?? defaultValue;
  return {
    choose(value: Default | Alternative): void {
      const { dataset } = document.documentElement;
      if (value === defaultValue) {
        localStorage.removeItem(key);
        delete dataset[name];
      } else {
        localStorage.setItem(key, value);
        dataset[name] = value;
      }
      listeners.notify();
    },
    /** `defaultValue` on the server. */
    useValue: () =>
      useSyncExternalStore<Default | Alternative>(listeners.subscribe, read, () => defaultValue),
  };
}
