/**
 * Values of each account in localStorage, shared by all tabs; "" is the account of signed-out visitors. A change is
 * written in a later task, since the 5,000 lines of a cart take 40 ms.
 */
import { toast } from "../components/toast.ts";
import { readUser } from "./session.ts";

interface Options<Value> {
  prefix: string;
  parse: (text: string | null) => Value;
  /** null removes the value */
  print: (value: Value) => string | null;
  /** applies the changes of `mine` since `base` to `theirs`, which another tab wrote meanwhile */
  merge: (base: Value, mine: Value, theirs: Value) => Value;
}

interface AccountStorage<Value> {
  /** the same object until it changes */
  read(email?: string): Value;
  write(value: Value, email?: string): void;
}

const WRITE_AFTER_MS = 50;
const MAX_REPLACED = 5;
const STORAGE_FULL = "This browser has no room left for the cart. It may be lost when you close this page.";
const unwritten = new Map<string, () => void>();

export function accountStorage<Value>({
  prefix,
  parse,
  print,
  merge,
}: Options<Value>): AccountStorage<Value> {
  interface Known {
    /** as in localStorage, where `value` may not be written yet */
    text: string | null;
    value: Value;
  }
  const known = new Map<string, Known>();
  /** keys with the texts that this tab has replaced, the latest first */
  let replaced: string[] = [];
  const recordReplaced = (key: string, text: string | null) => {
    replaced = [key + text, ...replaced].slice(0, MAX_REPLACED);
  };
  const read = (key: string): Known => {
    const last = known.get(key);
    if (last && unwritten.has(key)) return last;
    const text = localStorage.getItem(key);
    if (last?.text === text) return last;
    const found = { text, value: parse(text) };
    known.set(key, found);
    return found;
  };
  const writeNow = (key: string, base: Known) => {
    const { value } = known.get(key) ?? base;
    unwritten.delete(key);
    const present = localStorage.getItem(key);
    const isOurs = present === base.text;
    const merged = isOurs ? value : merge(base.value, value, parse(present));
    const text = print(merged);
    try {
      if (text === null) localStorage.removeItem(key);
      else localStorage.setItem(key, text);
      known.set(key, { text, value: merged });
      recordReplaced(key, present);
    } catch {
      known.set(key, { text: present, value: merged });
      toast.error(STORAGE_FULL);
    }
    // only other tabs get one from the browser
    if (!isOurs) window.dispatchEvent(new StorageEvent("storage", { key }));
  };
  const write = (key: string, value: Value) => {
    const base = read(key);
    known.set(key, { text: base.text, value });
    if (unwritten.has(key)) return;
    unwritten.set(key, () => writeNow(key, base));
    setTimeout(() => unwritten.get(key)?.(), WRITE_AFTER_MS);
  };
  /** A tab sees the writes of others with a delay. If it has replaced one unseen, it merges its changes now. */
  const recover = ({ key, oldValue, newValue }: StorageEvent) => {
    if (!key || !replaced.includes(key + oldValue) || replaced.includes(key + newValue)) return;
    // also the present text: this tab may have written the same over what the other tab wrote next
    recordReplaced(key, newValue);
    if (newValue === localStorage.getItem(key)) return;
    write(key, merge(parse(oldValue), read(key).value, parse(newValue)));
  };
  globalThis.window?.addEventListener("storage", recover);
  return {
    read: (email = readUser()?.email ?? "") => read(prefix + email).value,
    write: (value, email = readUser()?.email ?? "") => write(prefix + email, value),
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
