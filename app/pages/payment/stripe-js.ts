/** Stripe.js, loaded from the provider on the payment page only. */
import type { Stripe } from "@stripe/stripe-js";
import { withLoadTimeout } from "../../performance/load-chunk.ts";

// of the same release as the API version that the server pins
const ADDRESS = "https://js.stripe.com/endive/stripe.js";
let loading: Promise<void> | null = null;

/** Loads the library once; rejects if that fails, after which it can be retried. */
export async function loadStripe(publishableKey: string): Promise<Stripe> {
  if (!window.Stripe) {
    loading ??= withLoadTimeout(loadScript()).catch((error: unknown) => {
      loading = null;
      throw error;
    });
    await loading;
  }
  if (!window.Stripe) throw new Error(`${ADDRESS} did not define the library`);
  return window.Stripe(publishableKey);
}

/**
 * Only a document loaded at the payment page's address has a Content-Security-Policy that allows the library. After a
 * client navigation the previous page's policy applies, so the page is reloaded.
 */
function isOwnDocument(): boolean {
  const [loaded] = performance.getEntriesByType("navigation");
  return !loaded || /^\/dashboard\/payment\//i.test(new URL(loaded.name).pathname);
}

function loadScript(): Promise<void> {
  return new Promise((resolve, reject) => {
    // never settles: the page is being unloaded
    if (!isOwnDocument()) return window.location.reload();
    const script = document.createElement("script");
    script.src = ADDRESS;
    script.onload = () => resolve();
    script.onerror = () => {
      script.remove();
      reject(new Error(`${ADDRESS} did not load`));
    };
    document.head.append(script);
  });
}
