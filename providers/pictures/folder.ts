import { randomUUID } from "node:crypto";
import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { PictureStorage } from "../../shop/pictures/ports.ts";

export function openFolderStorage(folder: string): PictureStorage {
  const pathOf = (name: string) => join(folder, name.slice(0, 2), name);
  return {
    async save(name, bytes) {
      const path = pathOf(name);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      // written under a temporary name and renamed, so that it is never read half-written
      const temporary = `${path}.${randomUUID()}`;
      const handle = await open(temporary, "w", 0o600);
      try {
        await handle.writeFile(bytes);
        await handle.sync();
        await handle.close();
        await rename(temporary, path);
      } catch (error) {
        await handle.close().catch(() => undefined);
        await rm(temporary, { force: true });
        throw error;
      }
    },
    async read(name) {
      try {
        return await readFile(pathOf(name));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
        throw error;
      }
    },
    async delete(names) {
      for (const name of names) await rm(pathOf(name), { force: true });
    },
  };
}
