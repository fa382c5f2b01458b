/** Calls about one's own account. */

export const accountCalls = {};
