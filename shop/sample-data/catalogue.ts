/** The home page shows the first six (specification, section 2), so they come from different categories. */
import { drilling } from "./tools/drilling.ts";
import { finishing } from "./tools/finishing.ts";
import { grinding } from "./tools/grinding.ts";
import { sawing } from "./tools/sawing.ts";
import type { SampleTool } from "./tools/tool.ts";
import { workshop } from "./tools/workshop.ts";

const homePageItemNumbers = ["DD 18-60", "RH 32-D", "AG 125-14", "CS 190-16", "JS 150-8", "RO 150-5"];

const allTools: SampleTool[] = [
  ...inCategory("Drilling & fastening", drilling),
  ...inCategory("Sawing", sawing),
  ...inCategory("Cutting & grinding", grinding),
  ...inCategory("Sanding & finishing", finishing),
  ...workshop,
];

/** A tool with a category of its own keeps it. */
function inCategory(category: string, tools: SampleTool[]): SampleTool[] {
  return tools.map((tool) => ({ category, ...tool }));
}

export const sampleCatalogue: readonly SampleTool[] = [
  ...homePageItemNumbers.flatMap((itemNumber) => allTools.filter((tool) => tool.itemNumber === itemNumber)),
  ...allTools.filter((tool) => !homePageItemNumbers.includes(tool.itemNumber)),
];
