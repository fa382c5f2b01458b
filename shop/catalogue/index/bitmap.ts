/** Sets of document ids, one bit each, highest first. Blocks are as in shop.catalogue_block; empty ones may be missing. */
export const BLOCK = 32_768;
export const BLOCK_SHIFT = 15;
const INTS_PER_BLOCK = BLOCK / 32;
export const BLOCK_BYTES = INTS_PER_BLOCK * 4;
export const HIGHEST_BIT = 0x8000_0000;

export type Bitmap = (Uint32Array | undefined)[];

export function emptyBlock(): Uint32Array {
  return new Uint32Array(INTS_PER_BLOCK);
}

export function union(sets: Bitmap[]): Bitmap {
  if (sets.length <= 1) return sets[0] ?? [];
  const all: Bitmap = [];
  const owned = new Set<number>();
  for (const bits of sets) {
    bits.forEach((block, number) => {
      if (!block) return;
      const existing = all[number];
      if (!existing) all[number] = block;
      else {
        const into = owned.has(number) ? existing : existing.slice();
        owned.add(number);
        all[number] = into;
        for (let at = 0; at < INTS_PER_BLOCK; at += 1)
          into[at] = (into[at] as number) | (block[at] as number);
      }
    });
  }
  return all;
}

export function intersection([first = [], ...others]: Bitmap[]): Bitmap {
  if (others.length === 0) return first;
  return Array.from(first, (block, number) => {
    if (!block) return undefined;
    const both = block.slice();
    for (const bits of others) {
      const other = bits[number];
      if (!other) return undefined;
      for (let at = 0; at < INTS_PER_BLOCK; at += 1) both[at] = (both[at] as number) & (other[at] as number);
    }
    return both;
  });
}

export function without(bits: Bitmap, less: Bitmap): Bitmap {
  return Array.from(bits, (block, number) => {
    const gone = less[number];
    if (!block || !gone) return block;
    return block.map((own, at) => own & ~(gone[at] as number));
  });
}

/** At index n: the ids in at least n + 1 of the sets. */
export function atLeast(sets: Bitmap[]): Bitmap[] {
  const levels: Bitmap[] = [];
  for (const bits of sets) {
    for (let level = levels.length; level >= 0; level -= 1) {
      const raised = level === 0 ? bits : intersection([levels[level - 1] as Bitmap, bits]);
      levels[level] = union([levels[level] ?? [], raised]);
    }
  }
  return levels;
}

export function hasBit(bits: Bitmap, docId: number): boolean {
  const own = bits[docId >> BLOCK_SHIFT]?.[(docId & (BLOCK - 1)) >> 5] ?? 0;
  return (own & (HIGHEST_BIT >>> (docId & 31))) !== 0;
}

export function hasFewerThan(bits: Bitmap, limit: number): boolean {
  let found = 0;
  return bits.every((block) => !block || forEachBit(block, 0, () => ++found < limit));
}

export function bitsOf(docIds: Iterable<number>): Bitmap {
  const bits: Bitmap = [];
  for (const docId of docIds) setBit(bits, docId, true);
  return bits;
}

export function setBit(bits: Bitmap, docId: number, on: boolean): void {
  const number = docId >> BLOCK_SHIFT;
  const offset = docId & (BLOCK - 1);
  let block = bits[number];
  if (!block) {
    if (!on) return;
    block = emptyBlock();
    bits[number] = block;
  }
  const mask = HIGHEST_BIT >>> (offset & 31);
  const own = block[offset >> 5] as number;
  block[offset >> 5] = on ? own | mask : own & ~mask;
}

/** Visits the ascending offsets of a block from `from` on, until `visit` returns false. */
export function forEachBit(block: Uint32Array, from: number, visit: (offset: number) => boolean): boolean {
  for (let at = from >> 5; at < INTS_PER_BLOCK; at += 1) {
    let own = block[at] as number;
    if (at === from >> 5) own &= 0xffff_ffff >>> (from & 31);
    while (own !== 0) {
      const first = Math.clz32(own);
      if (!visit(at * 32 + first)) return false;
      own &= ~(HIGHEST_BIT >>> first);
    }
  }
  return true;
}

export function readBlock(sent: Buffer): Uint32Array {
  const block = emptyBlock();
  const bytes = Buffer.from(block.buffer);
  sent.copy(bytes, 0, 4, 4 + BLOCK_BYTES);
  bytes.swap32();
  return block;
}

export function writeBits(bits: Bitmap): Buffer {
  const sent = Buffer.alloc(4 + bits.length * BLOCK_BYTES);
  bits.forEach((block, number) => {
    if (!block) return;
    const bytes = sent.subarray(4 + number * BLOCK_BYTES, 4 + (number + 1) * BLOCK_BYTES);
    Buffer.from(block.buffer, block.byteOffset, block.byteLength).copy(bytes);
    bytes.swap32();
  });
  sent.writeInt32BE(bits.length * BLOCK, 0);
  return sent;
}
