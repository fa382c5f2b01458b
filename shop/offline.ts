/** Apart from the other refusals, because every page says these and few need the rest. */
export const offline = "There is no connection to the store. Check your network and try again.";
export const signOutUntold = "You are signed out here; the store could not be told.";
export const signedOut = "You are signed out.";
