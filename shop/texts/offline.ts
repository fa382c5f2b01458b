/** Separate from the other refusals, which are too large for pages that need only these. */
export const offline = "There is no connection to the store. Check your network and try again.";
export const signOutOffline = "Signed out on this device. The server could not be reached.";
export const sessionEnded = "Your session has ended. Log in again.";
export const signedOut = "You are signed out.";
