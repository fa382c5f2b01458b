/** Apart from the other refusals, because every page says this one and few need the rest. */
export const offline = "There is no connection to the store. Check your network and try again.";
