/** Calls about finding tools. */

export const catalogueCalls = {};
