import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Queryable } from "../../database/client.ts";
import type { PictureStorage } from "../../shop/pictures/ports.ts";

export function openDatabaseStorage(db: Queryable): PictureStorage {
  return {
    async save(name, bytes) {
      await db.query(
        `INSERT INTO shop.picture_file (name, content) VALUES ($1, $2)
         ON CONFLICT (name) DO UPDATE SET content = excluded.content`,
        [name, bytes],
      );
    },
    async read(name) {
      const { rows } = await db.query<{ content: Buffer }>(
        "SELECT content FROM shop.picture_file WHERE name = $1",
        [name],
      );
      return rows[0]?.content ?? null;
    },
    async delete(names) {
      await db.query("DELETE FROM shop.picture_file WHERE name = ANY ($1::text[])", [names]);
    },
  };
}

/** Imports pictures that were saved before the database stored them. Deleted pictures have no row. */
export async function importPictureFolder(db: Queryable, folder: string): Promise<void> {
  const listed = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  // files that were cut off have another end
  const pictures = listed.filter(({ name }) => /\.(avif|webp|jpg)$/.test(name));
  const paths = new Map(pictures.map(({ name, parentPath }) => [name, join(parentPath, name)]));
  if (paths.size === 0) return;
  const { rows } = await db.query<{ name: string }>(
    `SELECT name FROM unnest($1::text[]) AS listed (name)
     JOIN shop.picture ON picture.hash = split_part(listed.name, '-', 1)
     WHERE NOT EXISTS (SELECT FROM shop.picture_file WHERE picture_file.name = listed.name)`,
    [[...paths.keys()]],
  );
  const { save } = openDatabaseStorage(db);
  for (const { name } of rows) await save(name, await readFile(paths.get(name) as string));
}
