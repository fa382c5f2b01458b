/** The hero's drawing for a page that was reached from another one: its own small chunk. */
export { default as heroDrawing } from "./hero.svg?raw";
