/** Unpacks a WOFF 1.0 file to the OpenType file in it, which fontkit can always embed. */
import { inflateSync } from "node:zlib";

const HEADER = 44;
const ENTRY = 20;

export function unpackWoff(woff: Buffer): Buffer {
  const count = woff.readUInt16BE(12);
  const directory = Buffer.alloc(12 + count * 16);
  // the font's version; the fields after the number of tables only speed up a binary search
  woff.copy(directory, 0, 4, 8);
  directory.writeUInt16BE(count, 4);
  const parts: Buffer[] = [directory];
  let offset = directory.length;
  for (let index = 0; index < count; index += 1) {
    const at = HEADER + index * ENTRY;
    const [start, packed, length] = [4, 8, 12].map((field) => woff.readUInt32BE(at + field)) as [
      number,
      number,
      number,
    ];
    const bytes = woff.subarray(start, start + packed);
    const table = packed < length ? inflateSync(bytes) : bytes;
    const entry = 12 + index * 16;
    woff.copy(directory, entry, at, at + 4);
    woff.copy(directory, entry + 4, at + 16, at + 20);
    directory.writeUInt32BE(offset, entry + 8);
    directory.writeUInt32BE(length, entry + 12);
    const padding = Buffer.alloc((4 - (length % 4)) % 4);
    parts.push(table, padding);
    offset += length + padding.length;
  }
  return Buffer.concat(parts);
}
