import { type RefObject, useEffect, useRef } from "react";
import { readUser } from "../../data/session.ts";

const PREFIX = "stator.checkout:";
const SENT_PREFIX = "stator.checkout-sent:";

/** Keeps the input across a reload or a sign-in, in this tab only. `onRestore` runs after it was restored. */
export function useCheckoutDraft(form: RefObject<HTMLFormElement | null>, onRestore: () => void) {
  const restored = useRef(onRestore);
  useEffect(() => {
    for (const [name, value] of Object.entries(readDraft())) {
      const input = form.current?.elements.namedItem(name);
      if (isTextInput(input) || input instanceof RadioNodeList) input.value = value;
    }
    restored.current();
  }, [form]);

  return {
    save() {
      if (!form.current) return;
      // the fields of a new address are not in the form while a saved one is selected
      const entered = { ...readDraft(), ...Object.fromEntries(new FormData(form.current)) };
      sessionStorage.setItem(storageKey(), JSON.stringify(entered));
    },
    clear() {
      sessionStorage.removeItem(storageKey());
    },
  };
}

export function readDraft(): Record<string, string> {
  return JSON.parse(sessionStorage.getItem(storageKey()) ?? "{}");
}

interface SentOrder {
  /** the request's body */
  text: string;
  /** its idempotency key */
  key: string;
  /** it was not placed: the session had ended, for example */
  isRefused?: boolean;
}

/** The order that was sent and whose outcome is not known; sent again after a reload, it needs the same key. */
export function readSentOrder(): SentOrder | null {
  return JSON.parse(sessionStorage.getItem(storageKey(SENT_PREFIX)) ?? "null");
}

export function storeSentOrder(sent: SentOrder | null): void {
  if (sent) sessionStorage.setItem(storageKey(SENT_PREFIX), JSON.stringify(sent));
  else sessionStorage.removeItem(storageKey(SENT_PREFIX));
}

function storageKey(prefix = PREFIX): string {
  return prefix + (readUser()?.email ?? "");
}

function isTextInput(input: unknown): input is HTMLInputElement | HTMLTextAreaElement {
  return (
    input instanceof HTMLTextAreaElement || (input instanceof HTMLInputElement && input.type !== "radio")
  );
}
