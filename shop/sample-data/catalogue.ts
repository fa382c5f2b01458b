/**
 * The tools that an empty store is filled with. The first six are the ones that the home page shows
 * (specification, section 2), so they come from different shelves; the rest follow shelf by shelf.
 */
import { drilling } from "./tools/drilling.ts";
import { finishing } from "./tools/finishing.ts";
import { grinding } from "./tools/grinding.ts";
import { sawing } from "./tools/sawing.ts";
import type { SampleTool } from "./tools/tool.ts";
import { workshop } from "./tools/workshop.ts";

const onTheHomePage = ["DD 18-60", "RH 32-D", "AG 125-14", "CS 190-16", "JS 150-8", "RO 150-5"];

const shelves = [...drilling, ...sawing, ...grinding, ...finishing, ...workshop];

/** 30 tools in catalogue order. */
export const sampleCatalogue: readonly SampleTool[] = [
  ...onTheHomePage.flatMap((itemNumber) => shelves.filter((tool) => tool.itemNumber === itemNumber)),
  ...shelves.filter((tool) => !onTheHomePage.includes(tool.itemNumber)),
];
