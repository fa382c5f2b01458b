import type { Output } from "../../api/contract.ts";
import { readPages } from "../../database/pagination.ts";
import type { Store } from "../store.ts";
import { TO_SHIP } from "./fulfillment-status.ts";

type PickList = Output<"pickList">;

export interface Pick {
  id: string;
  order_id: string;
  number: number;
  buyer: string;
  product_id: string;
  product_name: string;
  item_number: string | null;
  picture: string;
  /** not yet shipped */
  pieces: number;
  is_disputed: boolean;
}

const MAX_PICKS = 5000;

/** Of all orders or of those whose numbers are $1. */
const picks = (limit = "") => `
  SELECT line.id, o.id AS order_id, o.number, line.name AS buyer, line.product_id, line.product_name,
    line.item_number, line.picture, line.quantity - line.shipped_pieces AS pieces,
    line.disputed_at IS NOT NULL AS is_disputed
  FROM (SELECT * FROM shop.purchase
        WHERE ${TO_SHIP} AND ($1::bigint[] IS NULL OR order_id IN (SELECT id FROM shop.order WHERE number = ANY ($1)))
        ${limit}) AS line
    JOIN shop.order o ON o.id = line.order_id`;

/** By product in the order of item numbers; limited to the longest paid lines, of all orders or of `numbers`. */
export async function pickList({ pool }: Store, numbers: number[] | undefined): Promise<PickList> {
  const { rows } = await pool.query<Pick>(
    `${picks(`ORDER BY paid_at, id LIMIT ${MAX_PICKS + 1}`)}
     ORDER BY line.item_number NULLS LAST, line.product_name, line.product_id, o.number`,
    [numbers ?? null],
  );
  const shown = rows.slice(0, MAX_PICKS);
  const products = [...Map.groupBy(shown, ({ product_id }) => product_id)].map(([productId, lines]) => {
    const { product_name, item_number, picture } = lines[0] as Pick;
    return {
      productId,
      productName: product_name,
      ...(item_number !== null && { itemNumber: item_number }),
      picture,
      pieces: lines.reduce((sum, { pieces }) => sum + pieces, 0),
      picks: lines.map(({ order_id, number, buyer, pieces, is_disputed }) => ({
        orderId: order_id,
        number,
        buyer,
        pieces,
        ...(is_disputed && { disputed: true as const }),
      })),
    };
  });
  return {
    products,
    orders: new Set(shown.map(({ order_id }) => order_id)).size,
    pieces: shown.reduce((sum, { pieces }) => sum + pieces, 0),
    isComplete: rows.length <= MAX_PICKS,
  };
}

export function readPicks({ pool }: Store, numbers: number[] | undefined): AsyncGenerator<Pick[]> {
  return readPages<Pick>(
    pool,
    {
      text: `SELECT * FROM (
          SELECT *, concat(item_number IS NULL, item_number, ' ', product_name, product_id) AS position
          FROM (${picks()}) AS pick
        ) AS pick WHERE true`,
      values: [numbers ?? null],
    },
    { column: "position", descending: false, kind: "text" },
  );
}
