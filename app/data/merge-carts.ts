import type { CartLine } from "../../api/cart-calls.ts";

/** Applies the changes of `mine` since `base` to `theirs`, by product. My lines keep their order. Pure. */
export function applyChanges(
  base: readonly CartLine[],
  mine: readonly CartLine[],
  theirs: readonly CartLine[],
): readonly CartLine[] {
  if (isEqual(base, mine)) return theirs;
  const before = byProduct(base);
  const there = byProduct(theirs);
  const here = byProduct(mine);
  const kept = mine.flatMap((line) => {
    const known = before.get(line.productId);
    if (!known || !isSameLine(known, line)) return [line];
    const other = there.get(line.productId);
    return other ? [other] : [];
  });
  // also those removed here whose quantity changed there, so that nothing is lost
  const added = theirs.filter(
    ({ productId, quantity }) => !here.has(productId) && before.get(productId)?.quantity !== quantity,
  );
  return [...kept, ...added];
}

function byProduct(lines: readonly CartLine[]): Map<string, CartLine> {
  return new Map(lines.map((line) => [line.productId, line]));
}

function isSameLine(one: CartLine, other: CartLine): boolean {
  return one.quantity === other.quantity && one.price === other.price;
}

export function isEqual(one: readonly CartLine[], other: readonly CartLine[]): boolean {
  return (
    one.length === other.length &&
    one.every((line, at) => {
      const there = other[at];
      return there?.productId === line.productId && isSameLine(line, there);
    })
  );
}
