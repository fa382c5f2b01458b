import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, extname, join, relative } from "node:path";
import { contentTypes } from "../http/files.ts";
import { BEST, compressBrotli, isCompressible } from "./cached-response.ts";

export async function compressFiles(from: string, to: string): Promise<void> {
  const entries = await readdir(from, { recursive: true, withFileTypes: true });
  await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async ({ parentPath, name }) => {
        const path = join(parentPath, name);
        const plain = await readFile(path);
        if (!isCompressible(plain, contentTypes[extname(name)])) return;
        const target = join(to, relative(from, path));
        await mkdir(dirname(target), { recursive: true });
        await writeFile(target, await compressBrotli(plain, BEST));
      }),
  );
}
