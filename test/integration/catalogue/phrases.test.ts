/** Typical queries of buyers: the product must be among the first three results. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { loadSampleData } from "../../../shop/sample-data/seed.ts";
import { type FilledCatalogue, openFilled } from "./filled.ts";

/** By item number. */
const meant: Record<string, string[]> = {
  "DD 18-60": [
    "cordless drill",
    "battery drill",
    "drill",
    "drills",
    "drill driver",
    "drilldriver",
    "drill-driver",
    "driver drill",
    "power drill",
    "cordless drill driver",
    "18v drill",
    "18 volt cordless drill",
    "18V battery drill",
    "cordless drill 60 nm",
    "screw gun",
    "makita cordless drill",
    "keyless chuck drill",
    "dd1860",
    "DD 18",
  ],
  "RH 32-D": [
    "rotary hammer",
    "rotaryhammer",
    "rotary hammers",
    "sds drill",
    "sds plus",
    "sds hammer drill",
    "sds-plus rotary hammer",
    "roto hammer",
    "rotohammer",
    "rotery hammer",
    "masonry drill",
    "drill for concrete",
    "perforator",
    "3.4 joule",
  ],
  "ID 18-190": [
    "impact driver",
    "impactdriver",
    "cordless impact driver",
    "impact gun",
    "impact drivers 18v",
    "190nm",
  ],
  "HD 850-2": [
    "hammer drill",
    "hammerdrill",
    "hammer-drill",
    "Hammer Drills",
    "percussion drill",
    "combi drill",
    "impact drill",
    "850 watt hammer drill",
    "corded hammer drill",
    "electric drill",
    "keyed chuck",
  ],
  "IW 18-420": [
    "impact wrench",
    "impactwrench",
    "rattle gun",
    "wheel nut gun",
    "cordless impact wrench",
    "impact wrench 1/2 inch",
    "nut runner",
  ],
  "DH 16-H": [
    "demolition hammer",
    "demo hammer",
    "jackhammer",
    "jack hammer",
    "breaker",
    "concrete breaker",
    "kango",
    "45 J",
  ],
  "NG 18-64": [
    "nail gun",
    "nailgun",
    "nailer",
    "finish nailer",
    "cordless nailer",
    "brad nailer",
    "battery nail gun",
    "16 gauge nailer",
  ],
  "SD 36-5": [
    "screw driver",
    "screwdriver",
    "cordless screwdriver",
    "cordless screw driver",
    "electric screwdriver",
    "screwdrivers",
    "3.6v screwdriver",
    "battery screw driver",
  ],
  "CS 190-16": [
    "circular saw",
    "circularsaw",
    "skilsaw",
    "skil saw",
    "skillsaw",
    "circ saw",
    "7 1/4 inch circular saw",
    '7 1/4" saw',
    "190mm saw",
    "cirular saw",
    "circular saws",
  ],
  "JS 150-8": ["jigsaw", "jig saw", "jig-saw", "jigsaws", "electric jigsaw", "scroll saw", "jgisaw"],
  "RS 1100-30": [
    "sawzall",
    "reciprocating saw",
    "recip saw",
    "sabre saw",
    "saber saw",
    "sawsall",
    "reciprocatingsaw",
    "tiger saw",
    "saw zall",
    "recipricating saw",
  ],
  "MS 254-18": [
    "mitre saw",
    "miter saw",
    "chop saw",
    "chopsaw",
    "compound mitre saw",
    "10 inch miter saw",
    "drop saw",
  ],
  "TS 254-20": ["table saw", "tablesaw", "bench saw", "site saw", "10 in table saw"],
  "WT 200-8": ["tile saw", "wet saw", "tile cutter", "wet tile cutter", "tilesaw"],
  "CH 2000-40": ["chainsaw", "chain saw", "electric chain saw", "chainsaws", "400 mm bar"],
  "AG 125-14": [
    "angle grinder",
    "anglegrinder",
    "grinder",
    "disc grinder",
    "5 inch grinder",
    '5" angle grinder',
    "125mm grinder",
    "angel grinder",
  ],
  "MT 350-3": [
    "multitool",
    "multi tool",
    "multi-tool",
    "oscillating tool",
    "oscillating multitool",
    "multimaster",
  ],
  "BG 200-6": ["bench grinder", "pedestal grinder", "benchgrinder", "8 inch bench grinder"],
  "RO 150-5": ["orbital sander", "random orbital sander", "palm sander", "sander", "sanding machine"],
  "BS 100-10": ["belt sander", "beltsander", "band sander"],
  "PL 82-8": ["planer", "hand planer", "electric planer"],
  "PO 180-12": ["polisher", "buffer", "car polisher"],
  "RT 1200-12": ["router", "wood router", "plunge router 8 mm"],
  "DX 35-M": ["vacuum", "dust extractor", "shop vac", "dust collector", "wet and dry vac"],
  "PC 18-40": ["charger", "battery charger", "battery pack", "18v battery", "batteries"],
  "SS 80-450": ["soldering iron", "soldering station"],
  "HG 2000-E": ["heat gun", "heatgun", "hot air gun"],
  "WL 18-40": ["work light", "worklight", "site light", "flood light", "led lamp"],
  "BL 18-70": ["blower", "leaf blower", "cordless leaf blower"],
  "MX 1400-140": ["mixer", "cement mixer", "plaster mixer", "paddlemixer"],
};

let catalogue: FilledCatalogue;
beforeAll(async () => {
  catalogue = await openFilled((empty) => loadSampleData(empty));
});
afterAll(() => catalogue.drop());

const first = async (q: string) => {
  const { tools } = await catalogue.find({ q, limit: 3 });
  return tools.map((tool) => tool.itemNumber);
};

test("each of over 150 phrases finds its product among the first three", async () => {
  const phrases = Object.entries(meant).flatMap(([item, typed]) => typed.map((q) => ({ q, item })));
  expect(phrases.length).toBeGreaterThanOrEqual(150);
  const missed: unknown[] = [];
  for (const { q, item } of phrases) {
    const found = await first(q);
    if (!found.includes(item)) missed.push({ q, item, found });
  }
  expect(missed).toEqual([]);
});

test.each([
  ["cordless drill", "DD 18-60"],
  ["screw driver", "SD 36-5"],
  ["hammerdrill", "HD 850-2"],
  ["sawzall", "RS 1100-30"],
  ["skilsaw", "CS 190-16"],
  ["multitool", "MT 350-3"],
])("“%s” finds %s first", async (q, item) => {
  expect((await first(q))[0]).toBe(item);
});
