import type { z } from "zod";
import { withLoadTimeout } from "../performance/load-chunk.ts";

type Shape = Record<string, z.ZodType>;

/**
 * The contract's own rules for the fields of a form, fetched when the form is first entered: with the library that
 * checks them they weigh three times as much as the page, and nobody needs them to see it.
 */
export interface FormRules<Rules extends Shape> {
  /** for the form's `onFocus` */
  fetch: () => void;
  /** what is wrong with a value; undefined if it is valid */
  problem: (name: keyof Rules, value: unknown) => Promise<string | undefined>;
}

/** `load` imports the rules. Where they cannot be had, every value passes: the server has the same ones. */
export function formRules<Rules extends Shape>(load: () => Promise<Rules>): FormRules<Rules> {
  let rules: Promise<Rules | null> | undefined;
  const fetch = () => {
    rules ??= withLoadTimeout(load()).catch(() => {
      rules = undefined; // the connection is gone; the next field tries again
      return null;
    });
    return rules;
  };
  return {
    fetch: () => void fetch(),
    async problem(name, value) {
      const rule = (await fetch())?.[name];
      return rule?.safeParse(value).error?.issues[0]?.message;
    },
  };
}
