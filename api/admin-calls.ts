/** Calls about running the store, for admins. */

export const adminCalls = {};
