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
const channel = typeof window === "undefined" ? null : new BroadcastChannel("stator.cart-rows");
if (channel) channel.onmessage = ({ data }) => add(data);

export const resolutions: Resolutions = byRowKey;

export function addResolutions(found: Resolutions): void {
  add(found);
  channel?.postMessage(found);
}

function add(found: Resolutions): void {
  for (const [key, resolution] of found) byRowKey.set(key, resolution);
}
