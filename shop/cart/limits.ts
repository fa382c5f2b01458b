/** Apart from the schemas, which the browser does not load. */

export const MAX_LINES = 5000;
/** per line */
export const MAX_PIECES = 1_000_000;
