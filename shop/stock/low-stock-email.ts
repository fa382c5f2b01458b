import type { ProductRow } from "../../database/schema.ts";
/** An email to admins when the list of products below their reorder point has changed, at most once a day. */
import { greeting } from "../emails/formatting.ts";
import { type Email, oneLine, renderEmail, type Site } from "../emails/layout.ts";
import type { Store } from "../store.ts";
import { formatCount } from "../texts/format-count.ts";

export interface LowStockJob {
  mail: "lowStock";
  userId: string;
}

const MAX_NAMED = 20;

const QUEUE = `
WITH low AS (
  SELECT coalesce(array_agg(id ORDER BY id), '{}') AS ids FROM shop.product
  WHERE shortage > 0 AND archived_at IS NULL
), report AS (
  UPDATE shop.low_stock_report SET product_ids = ids, sent_at = CASE WHEN ids = '{}' THEN sent_at ELSE now() END
  FROM low WHERE product_ids <> ids AND (ids = '{}' OR coalesce(sent_at NOT BETWEEN now() - interval '1 day' AND now(), true))
  RETURNING ids
)
SELECT shop.queue_email(json_build_object('mail', 'lowStock', 'userId', admin.id))
FROM shop.user admin, report
WHERE role = 'admin' AND ids <> '{}'`;

/** Queues the email to each admin; with several nodes, the first to update the report does. */
export async function queueLowStockEmails({ pool }: Pick<Store, "pool">): Promise<void> {
  await pool.query(QUEUE);
}

type Row = Pick<ProductRow, "name" | "item_number" | "quantity" | "reorder_point"> & { low: number };

/** Null if the user is no longer an admin, or no product is below its reorder point. */
export async function lowStockEmail(
  { pool }: Store,
  site: Site,
  { userId }: LowStockJob,
): Promise<(Email & { to: string }) | null> {
  const { rows: admins } = await pool.query<{ email: string; name: string }>(
    "SELECT email, name FROM shop.user WHERE id = $1 AND role = 'admin'",
    [userId],
  );
  const { rows } = await pool.query<Row>(
    `SELECT name, item_number, quantity, reorder_point, count(*) OVER () AS low FROM shop.product
     WHERE shortage > 0 AND archived_at IS NULL
     ORDER BY shortage DESC, id DESC LIMIT ${MAX_NAMED}`,
  );
  const [[admin], [first]] = [admins, rows];
  if (!admin || !first) return null;
  const heading =
    first.low === 1
      ? "1 tool is below its reorder point"
      : `${formatCount(first.low)} tools are below their reorder point`;
  return {
    to: admin.email,
    ...renderEmail({
      ...site,
      subject: heading,
      preview: `${oneLine(first.name, 60)}: ${formatCount(first.quantity)} in stock.`,
      heading,
      greeting: greeting(admin.name),
      paragraphs: [
        first.low > rows.length
          ? `These ${rows.length} are furthest below.`
          : "The list has changed since the last email.",
      ],
      facts: rows.map(({ name, item_number, quantity, reorder_point }) => [
        oneLine(item_number ? `${name}, ${item_number}` : name, 80),
        `${formatCount(quantity)} in stock, reorder at ${formatCount(reorder_point)}`,
      ]),
      button: { label: "Open Stock", path: "/dashboard/stock?low=1" },
      note: "This email is sent to all admins, at most once a day.",
    }),
  };
}
