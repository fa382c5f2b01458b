import { type ChangeEvent, type FocusEvent, type FormEvent, useState } from "react";

/** Gives the message that a value earns, or undefined when it is good. */
export type Rule = (value: string) => string | undefined;

interface SentForm<Name extends string> {
  /** for what the store says of one field: it stands there, and has the focus */
  refuse: (name: Name, message: string) => void;
  empty: () => void;
}

/**
 * The state of a small form, without the weight of a form library: public pages have a budget of script. Errors
 * appear on blur or submit and clear at the first valid keystroke. An empty field that is merely left stays in peace,
 * so that nothing moves under a press on a link below; submitting says what is missing and goes to the first error.
 */
export function useFields<Name extends string>(rules: Record<Name, Rule>) {
  const [errors, setErrors] = useState<Partial<Record<Name, string | undefined>>>({});
  const [busy, setBusy] = useState(false);
  const names = Object.keys(rules) as Name[];

  /** Says at the field what is wrong with `value`; true when it is good. */
  function check(name: Name, value: string): boolean {
    const problem = rules[name](value);
    setErrors((now) => ({ ...now, [name]: problem }));
    return !problem;
  }

  /** What a TextField needs: its name, its error and when to check. */
  function field(name: Name) {
    return {
      name,
      error: errors[name],
      onBlur: ({ target }: FocusEvent<HTMLInputElement>) => target.value !== "" && check(name, target.value),
      onChange: ({ target }: ChangeEvent<HTMLInputElement>) => errors[name] && check(name, target.value),
    };
  }

  /** The form's onSubmit: runs `act` with the values once all are good, and not twice at a time. */
  function onSubmit(act: (values: Record<Name, string>, form: SentForm<Name>) => Promise<void>) {
    return async (event: FormEvent<HTMLFormElement>) => {
      event.preventDefault();
      if (busy) return;
      const form = event.currentTarget;
      const entered = new FormData(form);
      const values = Object.fromEntries(
        names.map((name) => [name, String(entered.get(name) ?? "")]),
      ) as Record<Name, string>;
      const found = Object.fromEntries(
        names.map((name) => [name, rules[name](values[name])]),
      ) as typeof errors;
      if (refuse(form, found)) return;
      setBusy(true);
      await act(values, {
        refuse: (name, message) => void refuse(form, { ...found, [name]: message }),
        empty: () => form.reset(),
      }).finally(() => setBusy(false));
    };
  }

  function refuse(form: HTMLFormElement, found: typeof errors): boolean {
    setErrors(found);
    const first = names.find((name) => found[name]);
    form.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus();
    return first !== undefined;
  }

  return { field, check, onSubmit, busy };
}
