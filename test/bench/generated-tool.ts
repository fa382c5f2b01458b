import { batteries, families, kits, mains, series } from "./families.ts";
import { seeded } from "./random.ts";

/** A row of shop.product as the generator writes it. */
export interface GeneratedTool {
  name: string;
  picture: string;
  price_cents: number;
  quantity: number;
  minimum_order: number;
  description: string;
  item_number: string;
  category: string;
  key_fact: string;
  power_source: string;
  technical_data: { name: string; value: string }[];
}

/** The product of this number: always the same, with a unique item number. */
export function generatedTool(number: number): GeneratedTool {
  const random = seeded(number * 2_654_435_761);
  const { name, prefix, category, picture, price, cordless, measure, facts } = random.pick(families);
  const line = random.pick(series);
  const [kit, factor] = random.pick(kits);
  const battery = cordless && random.fraction() < 0.6;
  const voltage = battery ? random.pick(batteries) : random.pick(mains);
  const size = random.pick(measure.values);
  const fact = random.pick(facts);
  const watts = random.between(4, 40) * 50;
  const measured = `${size} ${measure.unit}`;
  const [smallest = 1] = measure.values;
  return {
    name: `${line === "Standard" ? "" : `${line} `}${name}${kit === "bare tool" ? "" : `, ${kit}`}`.replace(
      /^\w/,
      (first) => first.toUpperCase(),
    ),
    picture: `/tools/${picture}.svg`,
    price_cents:
      Math.round(price * factor * (size / smallest) ** 0.4 * (0.8 + random.fraction() * 0.6)) * 100 +
      random.pick([0, 0, 50, 90]),
    // one in twenty is sold out, or nearly
    quantity: random.fraction() < 0.05 ? random.between(0, 9) : random.between(20, 4000),
    minimum_order: random.pick([1, 2, 4, 5, 6, 8, 10, 10, 12, 15, 20, 20, 25, 40, 50, 100]),
    description: `${line} ${name.toLowerCase()} with ${fact}, ${measured} ${measure.name.toLowerCase()}, for ${voltage} V. ${kit[0]?.toUpperCase()}${kit.slice(1)}. Built on our own line and tested for an hour under load before it leaves the bench; spare parts are kept for ten years.`,
    item_number: `${prefix} ${voltage}-${size}-${number.toString(36).toUpperCase().padStart(4, "0")}`,
    category,
    key_fact: `${measured}, ${fact}`,
    power_source: `${battery ? "Battery" : "Mains"} ${voltage} V`,
    technical_data: [
      { name: measure.name, value: measured },
      { name: "Rated power", value: `${watts.toLocaleString("en-US")} W` },
      { name: "No-load speed", value: `${(random.between(4, 60) * 100).toLocaleString("en-US")} rpm` },
      { name: "Weight", value: `${(random.between(8, 120) / 10).toFixed(1)} kg` },
      { name: "Carton", value: `${random.pick([2, 4, 6, 10, 12])} pieces` },
    ],
  };
}
