/** Uploaded pictures for products: twelve drawn ones, encoded once and stored under as many names as needed. */
import { createHash } from "node:crypto";
import type pg from "pg";
import sharp from "sharp";
import { encodePicture } from "../../providers/pictures/encode.ts";
import type { EncodedPicture, PictureStorage } from "../../shop/pictures/ports.ts";
import { jpegNameOf, nameOf, urlOf } from "../../shop/pictures/urls.ts";

const DRAWN = 12;

/** Gives the first products pictures; existing generated ones stay. Each takes some 200 kB of storage. */
export async function generatePictures(
  client: pg.ClientBase,
  storage: PictureStorage,
  target: number,
  print: (line: string) => void,
): Promise<void> {
  const { rows } = await client.query<{ id: string; number: number; admin: string }>(
    `SELECT id, number::integer, (SELECT id FROM shop.user WHERE role = 'admin' ORDER BY id LIMIT 1) AS admin
     FROM (SELECT id, picture, row_number() OVER (ORDER BY id) AS number FROM shop.product
       WHERE archived_at IS NULL) AS numbered
     WHERE number <= $1 AND picture NOT LIKE '/pictures/%' ORDER BY number`,
    [target],
  );
  if (rows.length === 0) return;
  const drawn = await Promise.all(rows.slice(0, DRAWN).map((_, index) => draw(index)));
  for (const [done, { id, number, admin }] of rows.entries()) {
    const picture = drawn[number % drawn.length] as EncodedPicture;
    const { width, height, colour, files } = picture;
    const hash = createHash("sha256").update(`generated ${number}`).digest("hex").slice(0, 32);
    const named = { hash, width, height, colour };
    for (const file of files)
      await storage.save(
        file.format === "jpg" ? jpegNameOf(named) : nameOf(hash, file.width, file.format),
        file.bytes,
      );
    await client.query(
      `WITH picture AS (
         INSERT INTO shop.picture (hash, width, height, colour, bytes, created_by, stored_at)
         VALUES ($1, $2, $3, $4, 500000, $5, now()) ON CONFLICT DO NOTHING
       )
       UPDATE shop.product SET picture = $6, version = version + 1 WHERE id = $7`,
      [hash, width, height, colour, admin, urlOf(named), id],
    );
    if ((done + 1) % 1000 === 0) print(`${done + 1} pictures`);
  }
  print(`${rows.length} pictures`);
}

/** Bright blocks on a plain background, with photographic noise. */
async function draw(index: number): Promise<EncodedPicture> {
  const noise = { type: "gaussian", mean: 225, sigma: 6 } as const;
  const block = (width: number, height: number, red: number) =>
    sharp({
      create: {
        width,
        height,
        channels: 3,
        background: { r: red, g: (index * 20) % 255, b: 200 - index * 15 },
      },
    })
      .png()
      .toBuffer();
  const ground = await sharp({
    create: { width: 1600, height: 1200, channels: 3, background: "#eee", noise },
  })
    .png()
    .toBuffer();
  const photograph = await sharp(ground)
    .composite([
      { input: await block(800, 260, 210), left: 300, top: 420 },
      { input: await block(220, 380, 60), left: 420, top: 640 },
    ])
    .jpeg({ quality: 92 })
    .toBuffer();
  const encoded = await encodePicture(photograph);
  if ("problem" in encoded) throw new Error(`The drawn picture is refused: ${encoded.problem}.`);
  return encoded;
}
