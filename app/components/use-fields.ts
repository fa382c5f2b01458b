import { type ChangeEvent, type FocusEvent, type FormEvent, useState } from "react";
import type { Failure } from "../../api/outcome.ts";
import { useBusy } from "../data/use-busy.ts";

/** Returns the problem of a value; undefined if it is valid. */
export type Rule = (value: string) => string | undefined | Promise<string | undefined>;

export const anything: Rule = () => undefined;
export const filled =
  (problem: string): Rule =>
  (value) =>
    value.trim() === "" ? problem : undefined;

type Input = HTMLInputElement | HTMLTextAreaElement;

interface SentForm<Name extends string> {
  /** shows refusals at their fields and focuses the first one; false if no field is named: it is the form's refusal */
  refuse: (failure: Partial<Pick<Failure, "fields" | "detail">>) => boolean;
  /** empties the fields whose values were sent and returns what is left: text typed meanwhile */
  empty: () => Record<Name, string>;
}

type Send<Name extends string> = (values: Record<Name, string>, form: SentForm<Name>) => Promise<unknown>;

/**
 * The state of a form with uncontrolled, named text fields. Errors appear on blur or submit and clear at the first
 * valid keystroke; submitting focuses the first one. Leaving an empty field shows no error, so that nothing shifts
 * when a link below is pressed, unless the form is `eager`.
 */
export function useFields<Name extends string>(rules: Record<Name, Rule>, { eager = false } = {}) {
  // a field that was checked and is valid is listed as undefined
  const [errors, setErrors] = useState<Partial<Record<Name, string | undefined>>>({});
  const [busy, run] = useBusy();
  /** of the whole form, until it is submitted again */
  const [refusal, setRefusal] = useState<string | null>(null);
  const names = Object.keys(rules) as Name[];

  /** Shows the problem of `value` at the field; true if it is valid. */
  async function check(name: Name, value: string): Promise<boolean> {
    const problem = await rules[name](value);
    setErrors((now) => ({ ...now, [name]: problem }));
    return !problem;
  }

  function field(name: Name) {
    return {
      name,
      error: errors[name],
      onBlur: ({ target }: FocusEvent<Input>) => {
        if (!eager && target.value === "") return;
        const show = () => void check(name, target.value);
        // the error would move what is being pressed from under the pointer
        if (document.querySelector(":is(a, button):active"))
          window.addEventListener("pointerup", () => setTimeout(show), { once: true });
        else show();
      },
      onChange: ({ target }: ChangeEvent<Input>) =>
        (eager ? name in errors : errors[name]) && void check(name, target.value),
    };
  }

  /** The form's onSubmit: calls `send` with the values if all are valid, one call at a time. */
  function onSubmit(send: Send<Name>) {
    return async (event: FormEvent<HTMLFormElement>) => {
      event.preventDefault();
      const form = event.currentTarget;
      await run(() => checkAndSend(form, send));
    };
  }

  async function checkAndSend(form: HTMLFormElement, send: Send<Name>) {
    const entered = new FormData(form);
    const values = {} as Record<Name, string>;
    const found: typeof errors = {};
    for (const name of names) {
      values[name] = String(entered.get(name) ?? "");
      found[name] = await rules[name](values[name]);
    }
    if (refuse(form, found)) return;
    setRefusal(null);
    await send(values, {
      refuse: ({ fields = {}, detail = null }) => {
        for (const name of names) found[name] = fields[name];
        const isAtField = refuse(form, found);
        if (!isAtField) setRefusal(detail);
        return isAtField;
      },
      empty: () => {
        const remaining = {} as Record<Name, string>;
        for (const name of names) {
          const input = form.querySelector<Input>(`[name="${name}"]`);
          if (input?.value === values[name]) input.value = "";
          remaining[name] = input?.value ?? "";
        }
        setErrors({});
        return remaining;
      },
    });
  }

  function refuse(form: HTMLFormElement, found: typeof errors): boolean {
    setErrors({ ...found });
    const first = names.find((name) => found[name]);
    form.querySelector<Input>(`[name="${first}"]`)?.focus();
    return first !== undefined;
  }

  return { field, check, onSubmit, busy, refusal, setRefusal };
}
