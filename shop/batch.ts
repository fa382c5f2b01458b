/**
 * What is asked for in the same moment is done together. Whoever comes first is served at once; those who come
 * while that is being done wait for the next round, and share it. So nobody waits who is alone, and a crowd costs
 * little more than one.
 */

export interface BatchOptions<Item, Result> {
  /** does all of these; the results in the same order. One that takes longer than the round may still be a promise */
  work: (items: Item[]) => Promise<(Result | Promise<Result>)[]>;
  /** how many rounds may be under way at once */
  rounds: number;
  /** how many items one round takes at most */
  most: number;
  /** items that are alike are never in two rounds at once */
  alike?: (item: Item) => string;
}

interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result | Promise<Result>) => void;
  reject: (error: unknown) => void;
}

/** Gives a function that does one item, in a round with others. A round that fails, fails for all of its items. */
export function createBatcher<Item, Result>({ work, rounds, most, alike }: BatchOptions<Item, Result>) {
  let waiting: Waiting<Item, Result>[] = [];
  let underWay = 0;
  const busy = new Set<string>();

  function begin(): void {
    while (underWay < rounds && waiting.length > 0) {
      const round = takeRound();
      if (round.length === 0) return; // what waits is like what is under way
      underWay += 1;
      void serve(round);
    }
  }

  function takeRound(): Waiting<Item, Result>[] {
    const round: Waiting<Item, Result>[] = [];
    const rest: Waiting<Item, Result>[] = [];
    for (const one of waiting) {
      const fits = round.length < most && !(alike && busy.has(alike(one.item)));
      (fits ? round : rest).push(one);
    }
    waiting = rest;
    if (alike) for (const { item } of round) busy.add(alike(item));
    return round;
  }

  async function serve(round: Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await work(round.map(({ item }) => item));
      for (const [index, { resolve }] of round.entries()) resolve(results[index] as Result | Promise<Result>);
    } catch (error) {
      for (const { reject } of round) reject(error);
    }
    if (alike) for (const { item } of round) busy.delete(alike(item));
    underWay -= 1;
    begin();
  }

  return (item: Item): Promise<Result> =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      begin();
    });
}
