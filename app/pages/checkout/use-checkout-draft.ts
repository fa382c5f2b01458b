import { type RefObject, useEffect, useRef } from "react";
import { readUser } from "../../data/session.ts";

const PREFIX = "stator.checkout:";
const SENT_PREFIX = "stator.checkout-sent:";

/** Keeps the input for a reload or a sign-in, in this tab only. `onRestore` runs after it was restored. */
export function useCheckoutDraft(form: RefObject<HTMLFormElement | null>, onRestore: () => void) {
  const restored = useRef(onRestore);
  useEffect(() => {
    for (const [name, value] of Object.entries(readDraft())) {
      const input = form.current?.elements.namedItem(name);
      if (isText(input) || input instanceof RadioNodeList) input.value = value;
    }
    restored.current();
  }, [form]);

  return {
    save() {
      if (!form.current) return;
      // the fields of a new address are not in the form while another is chosen
      const entered = { ...readDraft(), ...Object.fromEntries(new FormData(form.current)) };
      sessionStorage.setItem(keyOfUser(), JSON.stringify(entered));
    },
    forget() {
      sessionStorage.removeItem(keyOfUser());
    },
  };
}

export function readDraft(): Record<string, string> {
  return JSON.parse(sessionStorage.getItem(keyOfUser()) ?? "{}");
}

interface SentOrder {
  /** the request's body */
  text: string;
  /** its idempotency key */
  key: string;
}

/** The order that was sent and whose outcome is not known; sent again after a reload, it needs the same key. */
export function readSentOrder(): SentOrder | null {
  return JSON.parse(sessionStorage.getItem(keyOfUser(SENT_PREFIX)) ?? "null");
}

export function storeSentOrder(sent: SentOrder | null): void {
  if (sent) sessionStorage.setItem(keyOfUser(SENT_PREFIX), JSON.stringify(sent));
  else sessionStorage.removeItem(keyOfUser(SENT_PREFIX));
}

function keyOfUser(prefix = PREFIX): string {
  return prefix + (readUser()?.email ?? "");
}

function isText(input: unknown): input is HTMLInputElement | HTMLTextAreaElement {
  return (
    input instanceof HTMLTextAreaElement || (input instanceof HTMLInputElement && input.type !== "radio")
  );
}
