/** Measures two things alternately, so that a busy machine slows both alike. */
import type { Load } from "./load.ts";

export interface Compared {
  store: Load & { cpu: number };
  limit: Load & { cpu: number };
  /** store to limit in requests per second: median, minimum, maximum */
  ratio: { median: number; lowest: number; highest: number };
}

/** Measures `rounds` times each, alternating the order. */
export async function compare(
  rounds: number,
  store: () => Promise<Load>,
  limit: () => Promise<Load>,
): Promise<Compared> {
  const stores: Load[] = [];
  const limits: Load[] = [];
  for (let round = 0; round < rounds; round += 1) {
    if (round % 2 === 0) stores.push(await store());
    limits.push(await limit());
    if (round % 2 === 1) stores.push(await store());
  }
  const ratios = stores
    .map((load, round) => load.perSecond / (limits[round] as Load).perSecond)
    .sort((a, b) => a - b);
  return {
    store: medianLoad(stores),
    limit: medianLoad(limits),
    ratio: { median: median(ratios), lowest: ratios[0] as number, highest: ratios.at(-1) as number },
  };
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] as number;
}

function medianLoad(loads: Load[]): Load & { cpu: number } {
  const of = (name: keyof Load) => median(loads.map((load) => load[name] ?? 0));
  return {
    perSecond: of("perSecond"),
    p50: of("p50"),
    p95: of("p95"),
    p99: of("p99"),
    responses: of("responses"),
    cpu: of("cpu"),
  };
}
