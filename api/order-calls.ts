/** Calls about one order, beside those of the specification. */

export const orderCalls = {};
