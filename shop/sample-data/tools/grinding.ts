import { facts, type SampleTool } from "./tool.ts";

const powerSource = "Mains 120 V";

export const grinding: SampleTool[] = [
  {
    name: "Angle grinder",
    itemNumber: "AG 125-14",
    powerSource,
    keyFact: "125 mm, M14",
    price: 76.5,
    minimum_order: 40,
    quantity: 2180,
    description:
      "125 mm angle grinder with restart protection and a tool-free guard. The gear head turns in 90° steps, so the switch stays under the thumb in whichever hand leads. Dust is kept from the windings by a sealed switch and a screen that lifts off for cleaning. Brushes are reached from outside.",
    picture: "/tools/angle-grinder.svg",
    drawnBox: [44, 58, 552, 364],
    dimensions: { width: 304, height: 200 },
    technicalData: facts({
      "Rated power": "1,400 W",
      "No-load speed": "11,000 rpm",
      Disc: "125 × 22.2 mm",
      Spindle: "M14",
      "Restart protection": "Yes",
      Cable: "4 m, rubber",
      Weight: "2.3 kg",
      Carton: "8 pieces, 460 × 400 × 340 mm",
    }),
  },
  {
    name: "Oscillating multi-tool",
    itemNumber: "MT 350-3",
    powerSource,
    keyFact: "3° arc",
    price: 104,
    minimum_order: 20,
    quantity: 760,
    description:
      "Oscillating tool with a 3° arc for plunge cuts, scraping, grout and sanding in corners. A lever clamps the blade without a key and holds it in twelve positions. The head is decoupled from the grip by rubber mounts, and electronics keep the rate constant under load.",
    picture: "/tools/multi-tool.svg",
    drawnBox: [44, 128, 552, 223],
    dimensions: { width: 312, height: 126 },
    technicalData: facts({
      "Rated power": "350 W",
      "Oscillation rate": "10,000 to 20,000 per minute",
      "Oscillation arc": "3°",
      "Blade clamp": "Lever, 12 positions",
      Vibration: "6.5 m/s²",
      Weight: "1.5 kg",
      Carton: "8 pieces, 420 × 360 × 340 mm",
    }),
  },
  {
    name: "Bench grinder",
    itemNumber: "BG 200-6",
    powerSource,
    keyFact: "200 mm, two wheels",
    price: 167,
    minimum_order: 8,
    quantity: 212,
    description:
      "Bench grinder with two 200 mm wheels, 36 and 60 grit, on an induction motor that runs quiet at 72 dB(A). The rotor is balanced with its flanges, so a wheel change needs no dressing by guess. Spark guards, eye shields and cast tool rests are set by hand screws.",
    picture: "/tools/bench-grinder.svg",
    drawnBox: [44, 51, 552, 377],
    dimensions: { width: 468, height: 320 },
    technicalData: facts({
      "Rated power": "600 W",
      "No-load speed": "2,950 rpm",
      Wheels: "200 × 25 × 32 mm",
      Grit: "36 and 60",
      "Sound pressure": "72 dB(A)",
      Weight: "16.5 kg",
      Carton: "1 piece, 540 × 360 × 340 mm",
    }),
  },
];
