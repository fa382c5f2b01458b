/** The number of lines of the cart, for the header, without the cart itself. */

const PREFIX = "stator.cart-count:";

/** Keeps the number for the next document, which shows it before its first paint (performance/head-script.ts). */
export function storeCartCount(count: number, email: string): void {
  if (count === 0) localStorage.removeItem(PREFIX + email);
  else localStorage.setItem(PREFIX + email, String(count));
}

/** CSS reads the number from the root element, so the HTML of the header is the same for everybody. Announces "cart". */
export function showCartCount(email = ""): void {
  const count = localStorage.getItem(PREFIX + email);
  const { dataset, style } = document.documentElement;
  if (count) dataset.cart = count;
  else delete dataset.cart;
  style.setProperty("--cart", JSON.stringify(count ?? ""));
  style.setProperty("--cart-lines", count ?? "0");
  document.dispatchEvent(new Event("cart"));
}
