/**
 * Compresses the files of the build, so that a store does not do it at the first request of each: brotli's best level
 * takes up to 200 ms for a file, and 1.9 s for all.
 */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, extname, join, relative } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";

const compress = promisify(brotliCompress);

const COMPRESSIBLE = new Set([".css", ".js", ".json", ".svg", ".txt", ".webmanifest"]);

/** Writes each compressible file of `from` to the same path in `to`. */
export async function compressFiles(from: string, to: string): Promise<void> {
  for (const entry of await readdir(from, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !COMPRESSIBLE.has(extname(entry.name))) continue;
    const path = join(entry.parentPath, entry.name);
    const plain = await readFile(path);
    const target = join(to, relative(from, path));
    await mkdir(dirname(target), { recursive: true });
    await writeFile(
      target,
      await compress(plain, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
          [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
        },
      }),
    );
  }
}
