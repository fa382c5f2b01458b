/** The hero's drawing for client navigations: a chunk of its own. */
export { default as heroDrawing } from "./hero.svg?raw";
