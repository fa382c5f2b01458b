/** Saves the cart to the account, one request at a time, and merges concurrent changes. */
import type { Cart, CartLine } from "../../api/cart-calls.ts";
import type { Input } from "../../api/contract.ts";
import type { Failure } from "../../api/outcome.ts";
import { toast } from "../components/toast.ts";
import { writeAccountStorage } from "./account-storage.ts";
import { call, isDecided, newKey } from "./api-client.ts";
import { readCart, type StoredCart, setCartState, storeCart } from "./cart-storage.ts";
import { checkConnection, whenReconnected } from "./connection.ts";
import { applyChanges, isEqual } from "./merge-carts.ts";
import { onSessionChange, readUser } from "./session.ts";

/** The debounce before the cart is saved. */
const PAUSE_MS = 600;
const RETRY_MS = 5_000;

let timer: ReturnType<typeof setTimeout> | undefined;
let running = false;
/** changed while a request was pending */
let isDue = false;
/** what may have been saved although its response was lost */
let undecided: { email: string; body: Input<"saveCart">["body"]; key: string } | null = null;

/** Synchronizes after a pause without changes, or at once. */
export function scheduleSync(hasChanged: boolean): void {
  clearTimeout(timer);
  timer = setTimeout(() => void runSync(), hasChanged ? PAUSE_MS : 0);
}

async function runSync(): Promise<void> {
  if (running) {
    isDue = true;
    return;
  }
  running = true;
  try {
    do {
      isDue = false;
      await withTabLock(sync);
    } while (isDue);
  } finally {
    running = false;
  }
}

/** One tab at a time, if the browser supports locks; otherwise the version of the cart decides. */
async function withTabLock(run: () => Promise<void>): Promise<void> {
  const runAndWrite = async () => {
    await run();
    writeAccountStorage();
  };
  if (navigator.locks) await navigator.locks.request("stator.cart", runAndWrite);
  else await runAndWrite();
}

async function sync(): Promise<void> {
  const email = readUser()?.email;
  if (!email) return setCartState("saved");
  const session = new AbortController();
  const stop = onSessionChange(() => readUser()?.email === email || session.abort());
  // a request that is repeated would go to the account of the next user
  const failure = await exchange(email, session.signal)
    .catch((error: unknown) => (session.signal.aborted ? "ended" : Promise.reject(error)))
    .finally(stop);
  if (failure === "ended") return;
  if (!failure) return setCartState("saved");
  setCartState("offline");
  if (failure.status === 401) return;
  if (isRefused(failure)) toast.error(failure.detail);
  else void retry();
}

async function exchange(email: string, signal: AbortSignal): Promise<Failure | null> {
  const unmerged = await mergeUnsaved(email, signal);
  if (unmerged && isRefused(unmerged)) toast.error(unmerged.detail);
  // lines that cannot be merged stay on this device, and the account's own cart is saved nevertheless
  return unmerged && !isRefused(unmerged) ? unmerged : loadOrSave(email, signal);
}

function isRefused({ status }: Failure): boolean {
  return status === 413 || status === 422;
}

async function retry(): Promise<void> {
  if (await checkConnection()) {
    clearTimeout(timer);
    timer = setTimeout(() => void runSync(), RETRY_MS);
    return;
  }
  await whenReconnected(new AbortController().signal);
  scheduleSync(false);
}

/** Lines added before the account's cart was known are merged into it. */
async function mergeUnsaved(email: string, signal: AbortSignal): Promise<Failure | null> {
  const { lines: own, saved } = readCart(email);
  const unsaved = new Map(readCart("").lines.map((line) => [line.productId, line]));
  for (const line of saved ? [] : own) {
    const other = unsaved.get(line.productId);
    if (!other || other.quantity < line.quantity) unsaved.set(line.productId, line);
  }
  if (unsaved.size === 0) return null;
  const merged = await call("mergeCart", { body: { lines: [...unsaved.values()] } }, signal);
  if (!merged.ok) return merged;
  storeCart({ lines: [], saved: null, raised: [] }, "");
  const { raised, ...cart } = merged.data;
  takeOver(email, cart, saved?.lines ?? own);
  const now = readCart(email);
  storeCart({ ...now, raised: [...now.raised, ...raised] }, email);
  return null;
}

/** Loads the account's cart if this device has no changes, else saves it. */
async function loadOrSave(email: string, signal: AbortSignal): Promise<Failure | null> {
  for (;;) {
    const { lines, saved } = readCart(email);
    // a save without a response is repeated first: a later change that reverts it would look like no change
    const again = undecided?.email === email ? undecided : null;
    if (!saved || (!again && isEqual(lines, saved.lines))) {
      const found = await call("findCart", {}, signal);
      if (!found.ok) return found;
      takeOver(email, found.data, saved?.lines ?? []);
      if (isEqual(readCart(email).lines, found.data.lines)) return null;
      continue;
    }
    const sent = again ?? { email, body: { version: saved.version, lines: [...lines] }, key: newKey() };
    undecided = sent;
    const { body } = sent;
    const response = await call("saveCart", { body }, signal, sent.key);
    if (isDecided(response)) undecided = null;
    if (response.ok) {
      takeOver(email, { ...response.data, lines: body.lines }, body.lines);
      if (isEqual(readCart(email).lines, body.lines)) return null;
    } else if (response.status === 409 && response.present)
      takeOver(email, response.present as unknown as Cart, saved.lines);
    else return response;
  }
}

/** Takes over the account's cart, merged with the changes on this device since `base`. */
function takeOver(email: string, cart: Cart, base: readonly CartLine[]): void {
  const here: StoredCart = readCart(email);
  storeCart({ ...here, lines: applyChanges(base, here.lines, cart.lines), saved: cart }, email);
}
