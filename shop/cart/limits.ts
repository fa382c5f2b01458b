/** Limits of carts, lists and orders. Apart from the schemas, which the browser does not load. */

export const MOST_LINES = 5000;
/** of one line */
export const MOST_PIECES = 1_000_000;
