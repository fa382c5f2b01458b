/** How many connections one process opens at most. */
export interface PoolSizes {
  shop: number;
  identity: number;
  /** to hear of changes */
  news: 1;
}

/** The fewest that a process can work with: the queue keeps two of the shop's for itself. */
export const MIN_CONNECTIONS = 8;
const MOST: PoolSizes = { shop: 20, identity: 5, news: 1 };
const SHOP_FRACTION = 0.8;

/** How one process divides the connections that it may have; with less than `FEWEST` as with so many. */
export function poolSizesFor(room: number): PoolSizes {
  const left = Math.max(room, MIN_CONNECTIONS) - MOST.news;
  const shop = Math.min(MOST.shop, Math.floor(left * SHOP_FRACTION));
  return { shop, identity: Math.min(MOST.identity, left - shop), news: MOST.news };
}
