/** The event dispatched on the window if the script of the next page could not be loaded (vite.config.ts). */
export const SCRIPT_LOST = "stator:script-lost";
