/** Stripe.js, loaded from the provider on the payment page only. */
import type { Stripe } from "@stripe/stripe-js";
import { withLoadTimeout } from "../../performance/load-chunk.ts";

// the release that belongs to the API version pinned by the server
const SCRIPT_URL = "https://js.stripe.com/endive/stripe.js";
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
  if (!window.Stripe) throw new Error(`${SCRIPT_URL} did not define the library`);
  return window.Stripe(publishableKey);
}

/**
 * Only a document loaded at the payment page's URL has a Content-Security-Policy that allows the library. After a
 * client navigation the previous page's policy applies, so the page is reloaded.
 */
function isPaymentDocument(): boolean {
  const [loaded] = performance.getEntriesByType("navigation");
  return !loaded || /^\/dashboard\/payment\//i.test(new URL(loaded.name).pathname);
}

function loadScript(): Promise<void> {
  return new Promise((resolve, reject) => {
    // never settles: the page is being unloaded
    if (!isPaymentDocument()) return window.location.reload();
    const script = document.createElement("script");
    script.src = SCRIPT_URL;
    script.onload = () => resolve();
    script.onerror = () => {
      script.remove();
      reject(new Error(`${SCRIPT_URL} did not load`));
    };
    document.head.append(script);
  });
}
