export interface PoolSizes {
  shop: number;
  identity: number;
  /** for LISTEN */
  news: 1;
}

/** The minimum for a process: the queue keeps two of the shop's connections. */
export const MIN_CONNECTIONS = 8;
const MAX_SIZES: PoolSizes = { shop: 20, identity: 5, news: 1 };
const SHOP_FRACTION = 0.8;

/** With fewer than `MIN_CONNECTIONS`, divides that many. */
export function poolSizesFor(connectionLimit: number): PoolSizes {
  const left = Math.max(connectionLimit, MIN_CONNECTIONS) - MAX_SIZES.news;
  const shop = Math.min(MAX_SIZES.shop, Math.floor(left * SHOP_FRACTION));
  return { shop, identity: Math.min(MAX_SIZES.identity, left - shop), news: MAX_SIZES.news };
}
