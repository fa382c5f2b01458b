/** How near two words are: what a slip of the finger costs. Pure. */

/** Letters to add, drop, change or swap with their neighbour to come from one word to the other. */
export function editDistance(from: string, to: string): number {
  let before: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1];
      let cost = Math.min(
        at(last, column) + 1,
        at(next, column - 1) + 1,
        at(last, column - 1) + (same ? 0 : 1),
      );
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (row > 1 && column > 1 && swapped) cost = Math.min(cost, at(before, column - 2) + 1);
      next.push(cost);
    }
    before = last;
    last = next;
  }
  return at(last, to.length);
}

const at = (row: number[], column: number) => row[column] as number;

/** As `slips`, where `typed` may be only the beginning of the word. */
export function prefixEditDistance(typed: string, word: string): number {
  const beginnings = [-1, 0, 1].map((more) => word.slice(0, typed.length + more));
  return Math.min(
    editDistance(typed, word),
    ...beginnings.map((beginning) => editDistance(typed, beginning)),
  );
}

/** How many slips a word of this length may have and still be taken for another. */
export function maxEdits(length: number): number {
  if (length < 3) return 0;
  return length < 6 ? 1 : 2;
}

const SIGNS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/** Every item key that one slip makes of this one. */
export function withinOneEdit(key: string): string[] {
  const near = new Set<string>();
  for (let place = 0; place <= key.length; place += 1) {
    const [head, tail] = [key.slice(0, place), key.slice(place)];
    near.add(head + tail.slice(1));
    if (tail.length > 1) near.add(`${head}${tail[1]}${tail[0]}${tail.slice(2)}`);
    for (const sign of SIGNS) near.add(head + sign + tail).add(head + sign + tail.slice(1));
  }
  near.delete(key);
  return [...near];
}
