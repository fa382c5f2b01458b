/** A small seeded random number generator (mulberry32). */
export interface Random {
  /** from 0 up to, not including, 1 */
  fraction(): number;
  /** a whole number from `low` to `high`, inclusive */
  between(low: number, high: number): number;
  pick<Item>(items: readonly Item[]): Item;
}

export function seeded(seed: number): Random {
  let state = seed >>> 0;
  const fraction = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const between = (low: number, high: number) => low + Math.floor(fraction() * (high - low + 1));
  return { fraction, between, pick: (items) => items[between(0, items.length - 1)] as never };
}
