import type { ProductRow } from "../../database/schema.ts";
import type { Store } from "../store.ts";
import { formatCount } from "../texts/format-count.ts";
import { absoluteLink, type Email, oneLine, renderEmail, type Site } from "./layout.ts";

export interface StockAlertJob {
  mail: "backInStock" | "confirmStockAlert";
  alertId: string;
}

interface Row extends Pick<ProductRow, "name" | "item_number" | "quantity" | "minimum_order"> {
  token: string;
  to: string;
  product_id: string;
}

/** Null if the alert has ended. A product that is sold out again waits for its next restock. */
export async function stockAlertEmail(
  store: Store,
  site: Site,
  { mail, alertId }: StockAlertJob,
): Promise<(Email & { to: string; unsubscribe: string }) | null> {
  const { rows } = await store.pool.query<Row>(
    `SELECT alert.token, coalesce(alert.email, buyer.email) AS to, alert.product_id, product.name,
       product.item_number, product.quantity, product.minimum_order
     FROM shop.stock_alert alert JOIN shop.product ON product.id = alert.product_id AND archived_at IS NULL
     LEFT JOIN shop.user buyer ON buyer.id = alert.user_id AND buyer.disabled_at IS NULL
     WHERE alert.id = $1 AND coalesce(alert.email, buyer.email) IS NOT NULL`,
    [alertId],
  );
  const [alert] = rows;
  if (!alert) return null;
  const isOrderable = alert.quantity >= alert.minimum_order;
  if (mail === "backInStock" && !isOrderable) {
    const isSoldOut = await rearmAlert(store, alertId);
    return isSoldOut ? null : stockAlertEmail(store, site, { mail, alertId });
  }
  const unsubscribe = absoluteLink(site.publicUrl, `/stock-alert/stop?token=${alert.token}`);
  const template = mail === "backInStock" ? backInStock : confirmAlert;
  return { to: alert.to, unsubscribe, ...template(alert, site, unsubscribe) };
}

/**
 * Returns whether the product is still sold out. The lock makes a concurrent restock see the alert, or this statement
 * see the restock.
 */
async function rearmAlert({ pool }: Store, alertId: string): Promise<boolean> {
  const { rowCount } = await pool.query(
    `WITH product AS MATERIALIZED (
       SELECT id FROM shop.product WHERE id = (SELECT product_id FROM shop.stock_alert WHERE id = $1)
         AND quantity < minimum_order FOR SHARE
     ), rearmed AS (
       UPDATE shop.stock_alert alert SET notified_at = NULL FROM product WHERE alert.id = $1 AND NOT EXISTS (
         SELECT FROM shop.stock_alert other WHERE other.product_id = alert.product_id AND other.notified_at IS NULL
           AND (other.user_id = alert.user_id OR other.email = alert.email))
     ) SELECT FROM product`,
    [alertId],
  );
  return rowCount === 1;
}

function backInStock(alert: Row, site: Site, unsubscribe: string): Email {
  const name = oneLine(alert.name, 60);
  return renderEmail({
    ...site,
    subject: `Available again: ${name}`,
    preview: `${name} can be ordered again.`,
    heading: `${name} can be ordered again`,
    greeting: "Hello,",
    paragraphs: [
      "You asked for an email when this tool can be ordered again. This is the only email about it.",
    ],
    facts: factsOf(alert),
    button: { label: "Open the tool", path: `/product/${alert.product_id}` },
    note: `To end all back-in-stock emails to this address: ${unsubscribe}`,
  });
}

function confirmAlert(alert: Row, site: Site, unsubscribe: string): Email {
  const name = oneLine(alert.name, 60);
  return renderEmail({
    ...site,
    subject: "Confirm your email address",
    preview: `Confirm it to get an email when ${name} can be ordered again.`,
    heading: "Confirm your email address",
    greeting: "Hello,",
    paragraphs: [
      `We were asked to send an email to this address when ${name} can be ordered again. Please confirm it within a day.`,
    ],
    button: { label: "Confirm email", path: `/stock-alert/confirm?token=${alert.token}` },
    note: `If you did not ask for it, ignore this email, or end all back-in-stock emails to this address: ${unsubscribe}`,
  });
}

function factsOf({ name, item_number, quantity, minimum_order }: Row): [string, string][] {
  return [
    ["Product", item_number ? `${name}, ${item_number}` : name],
    ["Available in stock", formatCount(quantity)],
    ["Minimum order", formatCount(minimum_order)],
  ];
}
