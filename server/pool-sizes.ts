export interface PoolSizes {
  shop: number;
  identity: number;
  changes: 1;
  /** past the pooler, if there is one: migrations, and the locks of workers */
  direct: 0 | 2;
}

/** The minimum for a process: the queue keeps two of the shop's connections. */
export const MIN_CONNECTIONS = 8;
const MAX_SIZES = { shop: 20, identity: 5, changes: 1, direct: 2 } as const;
const MIN_IDENTITY = 2;
const SHOP_FRACTION = 0.8;

export const MAX_CONNECTIONS = Object.values(MAX_SIZES).reduce((sum, size) => sum + size, 0);

export function poolSizesFor(connectionLimit: number, isPooled = false): PoolSizes {
  const { changes } = MAX_SIZES;
  const direct = isPooled ? MAX_SIZES.direct : 0;
  const left = Math.max(connectionLimit, MIN_CONNECTIONS) - changes - direct;
  const shop = Math.min(MAX_SIZES.shop, Math.floor(left * SHOP_FRACTION), left - MIN_IDENTITY);
  return { shop, identity: Math.min(MAX_SIZES.identity, left - shop), changes, direct };
}
