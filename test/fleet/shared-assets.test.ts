/** During a rolling deploy, pages of one build get their scripts from nodes with another. */
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { shareAssets } from "../../server/http/shared-assets.ts";
import { openStore } from "../harness/store.ts";

const build = "build/client/assets";

test("a node shares the files of its build and serves those of others", async () => {
  const parent = await mkdtemp(join(tmpdir(), "stator-assets-"));
  const folder = join(parent, "shared");
  const other = await mkdtemp(join(tmpdir(), "stator-other-"));
  const script = "export const release = 'other';\n";
  await writeFile(join(other, "entry-0therBu1.js"), script);
  const store = await openStore({ environment: { ASSETS_DIR: folder } });
  try {
    const own = await readdir(build);
    expect((await readdir(folder)).toSorted()).toEqual(own.toSorted());
    const first = own[0] as string;
    expect(await readFile(join(folder, first))).toEqual(await readFile(join(build, first)));

    const url = `${store.url}/assets/entry-0therBu1.js`;
    expect((await fetch(url)).status).toBe(404);
    // the other node starts
    await shareAssets(other, folder);
    for (let times = 0; times < 2; times += 1) {
      const response = await fetch(url);
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
      expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
      expect(await response.text()).toBe(script);
    }
    await writeFile(join(parent, "outside.js"), "secret");
    for (const path of ["..%2Foutside.js", ".hidden.js", "entry.exe", "missing-1.js"])
      expect((await fetch(`${store.url}/assets/${path}`)).status, path).toBe(404);
  } finally {
    await store.stop();
    for (const path of [parent, other]) await rm(path, { recursive: true, force: true });
  }
});

test("a folder that cannot be written stops the start with one line", async () => {
  const folders = ["/dev/null/assets", ...(process.platform === "linux" ? ["/proc/stator-assets"] : [])];
  for (const folder of folders) await expect(shareAssets(build, folder)).rejects.toThrow(/^ASSETS_DIR: /);
});
