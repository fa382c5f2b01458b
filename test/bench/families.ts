/** The families of products in a generated catalogue, and how their members differ. */

export interface Family {
  name: string;
  prefix: string;
  category: string;
  picture: string;
  /** dollars of the smallest member */
  price: number;
  cordless: boolean;
  /** the dimension that distinguishes members, its unit and its values */
  measure: { name: string; unit: string; values: number[] };
  facts: string[];
}

const family = (
  [name, prefix, category, picture]: [string, string, string, string],
  price: number,
  cordless: boolean,
  [measure, unit, ...values]: [string, string, ...number[]],
  ...facts: string[]
): Family => ({
  name,
  prefix,
  category,
  picture,
  price,
  cordless,
  measure: { name: measure, unit, values },
  facts,
});

const drilling = "Drilling & fastening";
const grinding = "Cutting & grinding";
const sawing = "Sawing";
const sanding = "Sanding & finishing";
const routing = "Routing & joinery";
const dust = "Dust extraction";
const heat = "Soldering & heat";
const site = "Site equipment";

export const families: Family[] = [
  family(
    ["Drill driver", "DD", drilling, "drill-driver"],
    74,
    true,
    ["Hard torque", "Nm", 30, 40, 50, 60, 80, 120],
    "keyless chuck",
    "brushless",
  ),
  family(
    ["Hammer drill", "HD", drilling, "hammer-drill"],
    82,
    true,
    ["Chuck", "mm", 10, 13, 16],
    "keyed chuck",
    "two-speed",
  ),
  family(
    ["Rotary hammer", "RH", drilling, "rotary-hammer"],
    148,
    true,
    ["Impact energy", "J", 1.8, 2.4, 3.4, 5, 8],
    "SDS-plus",
    "SDS-max",
  ),
  family(
    ["Impact driver", "ID", drilling, "impact-driver"],
    88,
    true,
    ["Torque", "Nm", 120, 160, 190, 220],
    "hex bit holder",
    "three-stage",
  ),
  family(
    ["Impact wrench", "IW", drilling, "impact-wrench"],
    128,
    true,
    ["Torque", "Nm", 250, 420, 700, 1000],
    "square drive",
    "friction ring",
  ),
  family(
    ["Demolition hammer", "DH", drilling, "demolition-hammer"],
    420,
    false,
    ["Impact energy", "J", 12, 25, 45, 68],
    "hex 28",
    "SDS-max",
  ),
  family(
    ["Screwdriver", "SD", drilling, "screwdriver"],
    39,
    true,
    ["Torque", "Nm", 3, 5, 8, 12],
    "depth stop",
    "right-angle head",
  ),
  family(
    ["Angle grinder", "AG", grinding, "angle-grinder"],
    58,
    true,
    ["Disc", "mm", 115, 125, 150, 180, 230],
    "M14 spindle",
    "paddle switch",
  ),
  family(
    ["Bench grinder", "BG", grinding, "bench-grinder"],
    119,
    false,
    ["Wheel", "mm", 150, 200, 250],
    "two wheels",
    "eye shield",
  ),
  family(
    ["Oscillating multi-tool", "MT", grinding, "multi-tool"],
    79,
    true,
    ["Power", "W", 250, 350, 450],
    "tool-free change",
    "starlock",
  ),
  family(
    ["Tile cutter", "TC", grinding, "tile-cutter"],
    162,
    false,
    ["Cut length", "mm", 620, 920, 1250],
    "water tray",
    "mitre stop",
  ),
  family(
    ["Circular saw", "CS", sawing, "circular-saw"],
    98,
    true,
    ["Blade", "mm", 136, 165, 190, 235],
    "parallel guide",
    "plunge",
  ),
  family(
    ["Jigsaw", "JS", sawing, "jigsaw"],
    72,
    true,
    ["Cut in softwood", "mm", 85, 110, 135, 150],
    "pendulum action",
    "barrel grip",
  ),
  family(
    ["Reciprocating saw", "RS", sawing, "reciprocating-saw"],
    102,
    true,
    ["Stroke", "mm", 22, 28, 30, 32],
    "orbital action",
    "compact",
  ),
  family(
    ["Mitre saw", "MS", sawing, "mitre-saw"],
    228,
    false,
    ["Blade", "mm", 190, 216, 254, 305],
    "sliding rails",
    "laser line",
  ),
  family(
    ["Table saw", "TS", sawing, "table-saw"],
    340,
    false,
    ["Blade", "mm", 210, 254, 315],
    "folding stand",
    "riving knife",
  ),
  family(
    ["Chainsaw", "CH", sawing, "chainsaw"],
    139,
    true,
    ["Bar", "mm", 300, 350, 400, 450],
    "chain brake",
    "automatic oiling",
  ),
  family(
    ["Random orbit sander", "RO", sanding, "random-orbit-sander"],
    64,
    true,
    ["Pad", "mm", 125, 150],
    "dust box",
    "soft start",
  ),
  family(
    ["Belt sander", "BS", sanding, "belt-sander"],
    112,
    false,
    ["Belt", "mm", 65, 76, 100],
    "tracking knob",
    "sanding frame",
  ),
  family(
    ["Polisher", "PO", sanding, "polisher"],
    108,
    true,
    ["Pad", "mm", 125, 150, 180],
    "variable speed",
    "dual action",
  ),
  family(
    ["Planer", "PL", sanding, "planer"],
    84,
    true,
    ["Width", "mm", 82, 110],
    "reversible blades",
    "rebate guide",
  ),
  family(
    ["Router", "RT", routing, "router"],
    126,
    true,
    ["Collet", "mm", 6, 8, 12],
    "plunge base",
    "fixed base",
  ),
  family(
    ["Nail gun", "NG", routing, "nail-gun"],
    198,
    true,
    ["Nails", "mm", 32, 50, 64, 90],
    "16 gauge",
    "sequential trigger",
  ),
  family(
    ["Vacuum extractor", "VE", dust, "vacuum-extractor"],
    178,
    true,
    ["Tank", "l", 15, 25, 35, 50],
    "class M filter",
    "auto clean",
  ),
  family(
    ["Blower", "BL", dust, "blower"],
    69,
    true,
    ["Air speed", "m/s", 45, 70, 90],
    "turbo boost",
    "soft nozzle",
  ),
  family(
    ["Heat gun", "HG", heat, "heat-gun"],
    44,
    true,
    ["Heat", "°C", 500, 600, 650],
    "ceramic element",
    "cool-down",
  ),
  family(
    ["Soldering station", "SS", heat, "soldering-station"],
    92,
    false,
    ["Power", "W", 60, 80, 120],
    "ESD safe",
    "sleep stand",
  ),
  family(
    ["Battery charger", "BC", "Power & batteries", "battery-charger"],
    48,
    false,
    ["Current", "A", 3, 6, 8, 12],
    "two bays",
    "fan cooled",
  ),
  family(
    ["Mixer", "MX", site, "mixer"],
    118,
    false,
    ["Paddle", "mm", 120, 140, 160],
    "two handles",
    "soft start",
  ),
  family(
    ["Work light", "WL", site, "work-light"],
    54,
    true,
    ["Light", "lm", 1000, 2000, 4000, 8000],
    "IP54",
    "tripod thread",
  ),
];

export const series = [
  "Standard",
  "Compact",
  "Pro",
  "Heavy",
  "Silent",
  "Site",
  "Bench",
  "Precision",
  "Torque",
  "Light",
  "Marine",
  "Rail",
];
export const kits: [name: string, factor: number][] = [
  ["bare tool", 1],
  ["in carton", 1.02],
  ["with case", 1.1],
  ["kit with one 2.0 Ah pack", 1.35],
  ["kit with two 4.0 Ah packs", 1.7],
  ["kit with two 5.0 Ah packs and charger", 1.95],
  ["set of two", 1.9],
];
export const batteries = [10.8, 12, 14.4, 18, 36, 54];
export const mains = [110, 120, 230, 400];
