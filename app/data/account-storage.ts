/**
 * Values of each account in localStorage, shared by all tabs; "" is the account of signed-out visitors. A change is
 * written in a later task, since the 5,000 lines of a cart take 40 ms.
 */
import { readUser } from "./session.ts";

interface Options<Value> {
  prefix: string;
  parse: (text: string | null) => Value;
  /** null removes the value */
  print: (value: Value) => string | null;
}

interface AccountStorage<Value> {
  /** the same object until it changes */
  read(email?: string): Value;
  write(value: Value, email?: string): void;
}

const WRITE_AFTER_MS = 50;
const unwritten = new Map<string, () => void>();

export function accountStorage<Value>({ prefix, parse, print }: Options<Value>): AccountStorage<Value> {
  const known = new Map<string, { text: string | null; value: Value }>();
  return {
    read(email = readUser()?.email ?? "") {
      const key = prefix + email;
      const last = known.get(key);
      if (last && unwritten.has(key)) return last.value;
      const text = localStorage.getItem(key);
      if (last?.text === text) return last.value;
      const value = parse(text);
      known.set(key, { text, value });
      return value;
    },
    write(value, email = readUser()?.email ?? "") {
      const key = prefix + email;
      const last = { text: null as string | null, value };
      known.set(key, last);
      if (!unwritten.has(key)) setTimeout(() => unwritten.get(key)?.(), WRITE_AFTER_MS);
      unwritten.set(key, () => {
        unwritten.delete(key);
        last.text = print(value);
        if (last.text === null) localStorage.removeItem(key);
        else localStorage.setItem(key, last.text);
      });
    },
  };
}

/** Before other tabs may read. */
export function writeAccountStorage(): void {
  for (const write of [...unwritten.values()]) write();
}

if (typeof window !== "undefined") {
  window.addEventListener("pagehide", writeAccountStorage);
  document.addEventListener("visibilitychange", writeAccountStorage);
}
