import { type RefObject, useEffect, useRef } from "react";
import { readUser } from "../../data/session.ts";

const PREFIX = "stator.checkout:";

/** Keeps the input for a reload or a sign-in, in this tab only. `onRestore` runs after it was restored. */
export function useCheckoutDraft(form: RefObject<HTMLFormElement | null>, onRestore: () => void) {
  const restored = useRef(onRestore);
  useEffect(() => {
    for (const [name, value] of Object.entries(readDraft())) {
      const input = form.current?.elements.namedItem(name);
      if (isText(input)) input.value = value;
    }
    restored.current();
  }, [form]);

  return {
    save() {
      const typed = [...(form.current?.elements ?? [])].filter(isText);
      const texts = typed.map(({ name, value }) => [name, value]);
      sessionStorage.setItem(keyOfUser(), JSON.stringify(Object.fromEntries(texts)));
    },
    forget() {
      sessionStorage.removeItem(keyOfUser());
    },
  };
}

export function readDraft(): Record<string, string> {
  return JSON.parse(sessionStorage.getItem(keyOfUser()) ?? "{}");
}

function keyOfUser(): string {
  return PREFIX + (readUser()?.email ?? "");
}

function isText(input: unknown): input is HTMLInputElement | HTMLTextAreaElement {
  return (
    input instanceof HTMLTextAreaElement ||
    (input instanceof HTMLInputElement && input.name !== "" && input.type !== "radio")
  );
}
