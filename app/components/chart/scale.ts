/** At most five round steps from zero to just above the largest value: 0, 50, 100, 150, 200 for 184. */
export function ticksFor(largest: number): number[] {
  if (largest <= 0) return [0];
  const rough = largest / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
  const steps = Math.ceil(largest / step);
  return Array.from({ length: steps + 1 }, (_, index) => index * step);
}
