/** Optimal string alignment: insertions, deletions, substitutions and swaps of neighbours. Infinite if surely above `max`. */
export function editDistance(from: string, to: string, max = Number.POSITIVE_INFINITY): number {
  if (Math.abs(from.length - to.length) > max) return Number.POSITIVE_INFINITY;
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

export function prefixEditDistance(typed: string, word: string): number {
  const prefixes = [-1, 0, 1].map((more) => word.slice(0, typed.length + more));
  return Math.min(editDistance(typed, word), ...prefixes.map((prefix) => editDistance(typed, prefix)));
}

export function maxEdits(length: number): number {
  if (length < 3) return 0;
  return length < 6 ? 1 : 2;
}

const CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

export function withinOneEdit(key: string): string[] {
  const near = new Set<string>();
  for (let position = 0; position <= key.length; position += 1) {
    const [head, tail] = [key.slice(0, position), key.slice(position)];
    near.add(head + tail.slice(1));
    if (tail.length > 1) near.add(`${head}${tail[1]}${tail[0]}${tail.slice(2)}`);
    for (const character of CHARACTERS)
      near.add(head + character + tail).add(head + character + tail.slice(1));
  }
  near.delete(key);
  return [...near];
}
