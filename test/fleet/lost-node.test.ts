/** Pictures and emails of nodes that share nothing but the database. */
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { expect, onTestFinished, test } from "vitest";
import { clientOf } from "../harness/client.ts";
import { freshDatabase } from "../harness/database.ts";
import { openStore, type TestStore } from "../harness/store.ts";
import { logIn, register } from "../harness/users.ts";
import { admin, startNode, urlOf } from "./node.ts";

test("every node has the pictures and emails of a node that is lost", async () => {
  const database = await freshDatabase();
  onTestFinished(database.drop);
  const open = async (variables: Record<string, string> = {}) => {
    const node = await startNode(database.connection, variables);
    onTestFinished(node.remove);
    return node;
  };
  const folder = await mkdtemp(join(tmpdir(), "stator-lost-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const [one, two] = [await open({ DATA_DIR: folder }), await open({ ROLE: "web" })];
  const create = { width: 60, height: 40, channels: 3, background: "#336699" } as const;
  const content = await sharp({ create }).png().toBuffer();
  const user = await logIn(one, admin);
  const sent = await user.send("addPicture", { body: { file: { name: "a.png", content } } });
  const url: string = sent.body.url;
  const { email } = await register(one as unknown as TestStore);
  const atTwo = clientOf(two, user);
  const listed = async () =>
    (await atTwo.call("listEmails", { query: {} })).mails.filter(({ to }) => to === email);
  await expect.poll(listed, { timeout: 30_000 }).toHaveLength(1);
  // for scripts that read files
  await expect.poll(() => readdir(join(folder, "outbox"))).not.toEqual([]);
  await one.remove();
  const shown = await fetch(two.url + url);
  expect(shown.headers.get("content-type")).toBe("image/jpeg");
  const { width, height } = await sharp(await shown.arrayBuffer()).metadata();
  expect([width, height]).toEqual([60, 40]);
  const [{ id = "", subject = "" } = {}] = await listed();
  expect(await atTwo.call("findMail", { params: { id } })).toMatchObject({ to: email, subject });
});

test("a node adds the pictures that only its folder has", async () => {
  const database = await freshDatabase();
  onTestFinished(database.drop);
  const folder = await mkdtemp(join(tmpdir(), "stator-pictures-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const hash = "0a".repeat(16);
  const name = `${hash}-40.webp`;
  // in this process, which takes a tenth of the CPU time
  const status = async (variables: Record<string, string> = {}) => {
    const environment = { DATABASE_URL: urlOf(database.connection), ...variables };
    const node = await openStore({ database, environment });
    const { status } = await fetch(`${node.url}/pictures/${name}`).finally(node.stop);
    return status;
  };
  const own = { DATA_DIR: folder };
  expect(await status(own)).toBe(404);
  await database.pool.query(
    `INSERT INTO shop.picture (hash, width, height, bytes, created_by)
     SELECT $1::text, 40, 40, 9, id FROM shop.user`,
    [hash],
  );
  const inside = join(folder, "pictures", "0a");
  await mkdir(inside, { recursive: true });
  const deleted = `${"0b".repeat(16)}-40.webp`;
  for (const file of [name, `${name}.0b51`, deleted]) await writeFile(join(inside, file), "a picture");
  expect([await status(own), await status()]).toEqual([200, 200]);
  const { rows } = await database.pool.query("SELECT name FROM shop.picture_file");
  expect(rows).toEqual([{ name }]);
});
