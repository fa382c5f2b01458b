/**
 * The lines that rows became when they matched a product, by the key of the row. Shared between tabs, since any of them
 * may be the first to check a row.
 */

export interface Resolution {
  productId: string;
  quantity: number;
  /** the product had a line */
  isMerged: boolean;
}

export type Resolutions = ReadonlyMap<string, Resolution>;

const byRowKey = new Map<string, Resolution>();
/** of the rows that became lines, by product */
const rowKeys = new Map<string, string>();
const channel = typeof window === "undefined" ? null : new BroadcastChannel("stator.cart-rows");
if (channel) channel.onmessage = ({ data }) => add(data);

export const resolutions: Resolutions = byRowKey;

export function addResolutions(found: Resolutions): void {
  add(found);
  channel?.postMessage(found);
}

function add(found: Resolutions): void {
  for (const [key, resolution] of found) {
    byRowKey.set(key, resolution);
    if (!resolution.isMerged) keepElement(resolution.productId, key);
  }
}

/** The line of a product is shown in the element of its row, which keeps the focus and what is typed in it. */
export function keepElement(productId: string, rowKey: string): void {
  rowKeys.set(productId, rowKey);
}

export function elementKey(key: string): string {
  return rowKeys.get(key) ?? key;
}
