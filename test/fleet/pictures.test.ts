/** Pictures of nodes that share nothing but the database. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { expect, onTestFinished, test } from "vitest";
import { freshDatabase } from "../harness/database.ts";
import { logIn } from "../harness/people.ts";
import { admin, startNode } from "./node.ts";

test("every node has them, also after the node that got them is lost", { timeout: 60_000 }, async () => {
  const database = await freshDatabase();
  onTestFinished(database.drop);
  const open = async (variables: Record<string, string> = {}) => {
    const node = await startNode(database.connection, variables);
    onTestFinished(node.remove);
    return node;
  };
  const [one, two] = [await open(), await open()];
  const create = { width: 600, height: 400, channels: 3, background: "#336699" } as const;
  const content = await sharp({ create }).png().toBuffer();
  const sent = await (await logIn(one, admin)).ask("addPicture", {
    body: { file: { name: "a.png", content } },
  });
  const url: string = sent.body.url;
  await one.remove();
  const shown = await fetch(two.url + url);
  expect(shown.headers.get("content-type")).toBe("image/jpeg");
  const { width, height } = await sharp(await shown.arrayBuffer()).metadata();
  expect([width, height]).toEqual([600, 400]);
  expect(two.output()).not.toContain("Pictures:");
});

test("a node adds those that only its folder has", { timeout: 60_000 }, async () => {
  const database = await freshDatabase();
  onTestFinished(database.drop);
  const folder = await mkdtemp(join(tmpdir(), "stator-pictures-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const name = `${"0a".repeat(16)}-40.webp`;
  const status = async (variables: Record<string, string> = {}) => {
    const node = await startNode(database.connection, variables);
    onTestFinished(node.remove);
    const { status } = await fetch(`${node.url}/pictures/${name}`);
    await node.stop();
    return status;
  };
  const own = { DATA_DIR: folder };
  expect(await status(own)).toBe(404);
  const inside = join(folder, "pictures", "0a");
  await mkdir(inside, { recursive: true });
  for (const end of ["", ".0b51"]) await writeFile(join(inside, name + end), "a picture");
  expect([await status(), await status(own), await status(own), await status()]).toEqual([
    404, 200, 200, 200,
  ]);
  const { rows } = await database.pool.query("SELECT name FROM shop.picture_file");
  expect(rows).toEqual([{ name }]);
});
