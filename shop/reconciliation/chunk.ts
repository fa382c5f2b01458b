export async function* chunksOfHundred<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item[]> {
  let hundred: Item[] = [];
  for await (const item of items) {
    hundred.push(item);
    if (hundred.length < 100) continue;
    yield hundred;
    hundred = [];
  }
  if (hundred.length > 0) yield hundred;
}
