import type { z } from "zod";
import { withLoadTimeout } from "../performance/load-chunk.ts";

type Shape = Record<string, z.ZodType>;

/**
 * A form's validation, loaded when it is first focused: the schema library is three times as large as the page. `load`
 * imports the rules. If that fails every value passes: the server validates too.
 */
export function formRules<Rules extends Shape>(load: () => Promise<Rules>) {
  let rules: Promise<Rules | null> | undefined;
  const fetch = () => {
    rules ??= withLoadTimeout(load()).catch(() => {
      rules = undefined; // offline; the next field retries
      return null;
    });
    return rules;
  };
  return {
    /** for the form's `onFocus` */
    fetch: () => void fetch(),
    async problem(name: keyof Rules, value: unknown): Promise<string | undefined> {
      const rule = (await fetch())?.[name];
      return rule?.safeParse(value).error?.issues[0]?.message;
    },
  };
}
