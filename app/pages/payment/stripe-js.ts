/** The provider's page library, loaded from the provider on the payment page alone. */
import type { Stripe } from "@stripe/stripe-js";
import { withLoadTimeout } from "../../performance/load-chunk.ts";

// of the same release as the API version that the server pins
const ADDRESS = "https://js.stripe.com/endive/stripe.js";
let loading: Promise<void> | null = null;

/** Loads the library once; rejects when it cannot be had, after which it may be tried again. */
export async function loadStripe(publishableKey: string): Promise<Stripe> {
  if (!window.Stripe) {
    loading ??= withLoadTimeout(loadScript()).catch((error: unknown) => {
      loading = null;
      throw error;
    });
    await loading;
  }
  if (!window.Stripe) throw new Error(`${ADDRESS} brought no library`);
  return window.Stripe(publishableKey);
}

/**
 * Only a document that was loaded at the payment page's own address may load the library (its policy says so). Who
 * came here from another page without loading a document has that page's policy still.
 */
function isOwnDocument(): boolean {
  const [loaded] = performance.getEntriesByType("navigation");
  return !loaded || /^\/dashboard\/payment\//i.test(new URL(loaded.name).pathname);
}

function loadScript(): Promise<void> {
  return new Promise((resolve, reject) => {
    // neither resolved nor rejected: the page is on its way out
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
