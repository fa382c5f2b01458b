/** The number of lines of the cart, for the header, without loading the cart. */

const PREFIX = "stator.cart-count:";
/** By account, if the storage was full. */
const unstored = new Map<string, string>();

/** Stored for the next document, which shows it before its first paint (performance/head-script.ts). */
export function storeCartCount(count: number, email: string): void {
  unstored.delete(email);
  try {
    if (count === 0) localStorage.removeItem(PREFIX + email);
    else localStorage.setItem(PREFIX + email, String(count));
  } catch {
    // the storage is full, which is reported with the cart itself
    unstored.set(email, String(count));
  }
}

/** CSS reads the number from the root element, so the header's HTML is the same for every visitor. */
export function showCartCount(email = ""): void {
  const count = unstored.get(email) ?? localStorage.getItem(PREFIX + email);
  const { dataset, style } = document.documentElement;
  if (count) dataset.cart = count;
  else delete dataset.cart;
  style.setProperty("--cart", JSON.stringify(count ?? ""));
  style.setProperty("--cart-lines", count ?? "0");
  document.dispatchEvent(new Event("cart"));
}
