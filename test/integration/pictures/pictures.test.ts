/** Uploads of every kind of file, and their URLs, in a folder and on an S3 server. */
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32, deflateSync } from "node:zlib";
import S3rver from "@20minutes/s3rver";
import sharp, { type Create, type Sharp } from "sharp";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { readConfig } from "../../../server/config.ts";
import { printPictureProblems } from "../../../server/pictures.ts";
import { fileNamesOf, readPictureUrl } from "../../../shop/pictures/urls.ts";
import { pictureRefusals } from "../../../shop/texts/picture-refusals.ts";
import type { Reply } from "../../harness/client.ts";
import { freePort } from "../../harness/free-port.ts";
import { addProduct } from "../../harness/orders.ts";
import { openStore, type TestStore } from "../../harness/store.ts";
import { adminOf, type SignedIn } from "../../harness/users.ts";

let store: TestStore;
let admin: SignedIn;
beforeAll(async () => {
  store = await openStore();
  admin = await adminOf(store);
});
afterAll(() => store.stop());

const plain = (width: number, height: number, more: Partial<Create> = {}): Sharp =>
  sharp({ create: { width, height, channels: 3, background: "#c8a16b", ...more } });

/** Half red, half blue, so that its orientation is visible. */
async function halves(width: number, height: number): Promise<Sharp> {
  const blue = await plain(width / 2, height, { background: "#0000ff" })
    .png()
    .toBuffer();
  const both = await plain(width, height, { background: "#ff0000" })
    .composite([{ input: blue, left: width / 2, top: 0 }])
    .png()
    .toBuffer();
  return sharp(both);
}

const send = (content: Uint8Array | string, name = "drill.jpg", by = admin): Promise<Reply> =>
  by.send("addPicture", { body: { file: { name, content } } });

async function add(content: Uint8Array, by = admin): Promise<{ url: string; width: number; height: number }> {
  const { status, body } = await send(content, "drill.jpg", by);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

async function load(path: string, at = store): Promise<Buffer> {
  const response = await fetch(`${at.url}${path}`);
  expect(response.status, path).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

const filesOf = (url: string) => {
  const picture = readPictureUrl(url);
  if (!picture) throw new Error(`${url} is no URL of a picture.`);
  return fileNamesOf(picture).map((name) => `/pictures/${name}`);
};

async function colourAt(image: Buffer, left: number, top: number): Promise<string> {
  const { data } = await sharp(image)
    .toColourspace("srgb")
    .removeAlpha()
    .extract({ left, top, width: 1, height: 1 })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return [...data].map((value) => (value > 200 ? "f" : value < 60 ? "0" : "?")).join("");
}

describe("a picture", () => {
  test("is encoded in every width as AVIF and WebP, and once as JPEG, with URLs that never change", async () => {
    const { url, width, height } = await add(await plain(2000, 1500).jpeg().toBuffer());
    expect([width, height]).toEqual([1600, 1200]);
    expect(url).toMatch(/^\/pictures\/[\da-f]{32}-1600x1200-[\da-f]{6}\.jpg$/);
    expect(filesOf(url).map((file) => file.replace(/^.*?-/, ""))).toEqual([
      "160.avif",
      "160.webp",
      "480.avif",
      "480.webp",
      "960.avif",
      "960.webp",
      "1600.avif",
      "1600.webp",
      expect.stringMatching(/^1600x1200-/),
    ]);
    for (const file of filesOf(url)) {
      const response = await fetch(`${store.url}${file}`);
      const format = file.split(".").at(-1);
      expect(response.headers.get("content-type")).toBe(format === "jpg" ? "image/jpeg" : `image/${format}`);
      expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
      expect(response.headers.get("x-content-type-options")).toBe("nosniff");
      const found = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
      expect(found.width).toBe(Number(/-(\d+)[.x]/.exec(file)?.[1]));
      expect(found.height).toBe((found.width * 3) / 4);
    }
  });

  test("that is small is not enlarged", async () => {
    for (const [width, height] of [
      [1, 1],
      [100, 40],
      [3, 5000],
    ] as const) {
      const added = await add(await plain(width, height).png().toBuffer());
      expect(added).toMatchObject(height > 1600 ? { width: 1, height: 1600 } : { width, height });
      for (const file of filesOf(added.url)) await load(file);
    }
  });

  test("is turned upright and loses its metadata", async () => {
    const image = await halves(400, 200);
    const sent = await image
      .jpeg()
      .withExif({ IFD0: { Orientation: "6", Artist: "Ada Secret" }, IFD3: { GPSLatitude: "51/1 30/1 0/1" } })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const { url, width, height } = await add(sent);
    expect([width, height]).toEqual([200, 400]);
    for (const file of filesOf(url).filter((name) => !name.includes("-160."))) {
      const decoded = await load(file);
      expect([await colourAt(decoded, 100, 50), await colourAt(decoded, 100, 350)], file).toEqual([
        "f00",
        "00f",
      ]);
      const { exif, icc, xmp, iptc, orientation } = await sharp(decoded).metadata();
      expect({ exif, icc, xmp, iptc }).toEqual({});
      expect(orientation ?? 1).toBe(1);
      expect(decoded.includes("Ada Secret")).toBe(false);
    }
  });

  test("keeps its transparency in AVIF and WebP, is white below it in JPEG, and has no colour", async () => {
    const { url } = await add(
      await plain(300, 300, { channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } })
        .png()
        .toBuffer(),
    );
    expect(url).toMatch(/-300x300\.jpg$/);
    const [avif, webp] = await Promise.all(
      ["avif", "webp"].map((format) =>
        load(filesOf(url).find((file) => file.endsWith(`-300.${format}`)) as string),
      ),
    );
    for (const decoded of [avif, webp]) expect((await sharp(decoded).stats()).isOpaque).toBe(false);
    expect(await colourAt(await load(url), 10, 10)).toBe("fff");
  });

  test("has its dominant colour in its URL", async () => {
    const { url } = await add(await plain(300, 200, { background: "#1e50c8" }).png().toBuffer());
    const { colour } = readPictureUrl(url) ?? {};
    const [r = 0, g = 0, b = 0] = Buffer.from(colour ?? "", "hex");
    expect(Math.max(Math.abs(r - 0x1e), Math.abs(g - 0x50), Math.abs(b - 0xc8))).toBeLessThan(16);
  });

  test.each([
    ["CMYK as JPEG", () => plain(60, 40).toColourspace("cmyk").jpeg()],
    ["grey with 16 bits as PNG", () => plain(60, 40).toColourspace("grey16").png()],
    ["as WebP", () => plain(60, 40).webp()],
    ["as AVIF", () => plain(60, 40).avif()],
    ["as GIF", () => plain(60, 40).gif()],
  ] as const)("%s is read", async (_, make) => {
    const { url } = await add(await make().toBuffer());
    expect(await sharp(await load(url)).metadata()).toMatchObject({ width: 60, height: 40, space: "srgb" });
  });

  test("uploaded again has the same URL, for any sender and file name", async () => {
    const sent = await plain(320, 240, { background: "#123456" }).png().toBuffer();
    const replies = await Promise.all([send(sent), send(sent, "other.png"), send(sent, "../../etc/passwd")]);
    expect(new Set(replies.map(({ status, body }) => `${status} ${body.url}`)).size).toBe(1);
    const { rows } = await store.pool.query(
      `SELECT width, height, bytes, stored_at IS NOT NULL AS stored, u.email FROM shop.picture
       JOIN shop.user u ON u.id = created_by WHERE hash = $1`,
      [readPictureUrl(replies[0]?.body.url)?.hash],
    );
    expect(rows).toEqual([{ width: 320, height: 240, bytes: sent.length, stored: true, email: admin.email }]);
    const again = await admin.send(
      "addPicture",
      { body: { file: { name: "a", content: sent } } },
      { "idempotency-key": "p1" },
    );
    expect(again.body).toEqual(replies[0]?.body);
  });

  test("uploaded again after the clock was set back is kept for another day", async () => {
    const sent = await plain(32, 24, { background: "#765432" }).png().toBuffer();
    const { url } = await add(sent);
    await store.pool.query(
      `UPDATE shop.picture SET created_at = now() + interval '1 hour', uploaded_at = now() + interval '1 hour',
         stored_at = now() + interval '1 hour' WHERE hash = $1`,
      [readPictureUrl(url)?.hash],
    );
    expect((await add(sent)).url).toBe(url);
  });

  test("is in the audit log", async () => {
    const { url } = await add(await plain(90, 60, { background: "#abcdef" }).png().toBuffer());
    const { events } = await admin.call("listHistory", { query: { subject: "picture", limit: 1 } });
    expect(events[0]).toMatchObject({
      what: "added",
      who: { email: admin.email },
      subjectId: readPictureUrl(url)?.hash,
      after: { width: 90, height: 60 },
    });
  });

  test("can be the picture of a product", async () => {
    const { url } = await add(await plain(800, 600).jpeg().toBuffer());
    expect((await addProduct(admin, { picture: url })).picture).toBe(url);
  });
});

describe("refused is", () => {
  const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  const jpeg = () =>
    plain(900, 600, { noise: { type: "gaussian", mean: 128, sigma: 40 } })
      .jpeg({ quality: 90 })
      .toBuffer();
  const animation = async (format: "gif" | "webp"): Promise<Buffer> => {
    const frames: Buffer[] = await Promise.all(
      ["#ff0000", "#00ff00", "#0000ff"].map((background) => plain(40, 40, { background }).png().toBuffer()),
    );
    return sharp(frames, { join: { animated: true } })
      [format]()
      .toBuffer();
  };
  const cut = (bytes: Uint8Array, part: number) => bytes.subarray(0, Math.floor(bytes.length * part));

  test.each<[string, () => Promise<Uint8Array | string>, keyof typeof pictureRefusals]>([
    ["an empty file", async () => "", "empty"],
    ["text", async () => "Not a picture at all.", "notAPicture"],
    ["HTML", async () => "<!doctype html><img src=x onerror=alert(1)>", "notAPicture"],
    ["a ZIP archive", async () => "PK\u0003\u0004bomb", "notAPicture"],
    ["an SVG with a script", async () => SVG, "svg"],
    ["an SVG with an XML declaration", async () => `<?xml version="1.0"?>\n<!-- drill -->${SVG}`, "svg"],
    ["a TIFF", () => plain(40, 40).tiff().toBuffer(), "tiff"],
    ["a PDF", async () => "%PDF-1.7\n", "pdf"],
    ["a HEIC", async () => "\0\0\0\u0018ftypheic\0\0\0\0mif1heic", "heic"],
    ["an animated GIF", () => animation("gif"), "animated"],
    ["an animated WebP", () => animation("webp"), "animated"],
    ["a JPEG that is cut off", async () => cut(await jpeg(), 0.6), "damaged"],
    ["a JPEG of its header", async () => cut(await jpeg(), 0.01), "damaged"],
    ["a PNG that is cut off", async () => cut(await plain(900, 600).png().toBuffer(), 0.5), "damaged"],
    [
      "a WebP that is cut off",
      async () => cut(await (await halves(900, 600)).webp().toBuffer(), 0.5),
      "damaged",
    ],
    ["a signature alone", async () => new Uint8Array([0xff, 0xd8, 0xff, 0xe0]), "damaged"],
    ["a PNG of 50,000 by 50,000 pixels in 300 bytes", async () => hugePng(50_000, 50_000), "tooManyPixels"],
    ["a picture of 50 megapixels", () => plain(10_000, 5000).png().toBuffer(), "tooManyPixels"],
  ])("%s", async (_, make, problem) => {
    const content = await make();
    // whatever its name is
    for (const name of ["drill.png", "drill.jpg"]) {
      const { status, body } = await send(content, name);
      expect([status, body.detail]).toEqual([422, pictureRefusals[problem]]);
      expect(body.fields).toEqual({ file: pictureRefusals[problem] });
    }
  });

  test("a file of more than 20 MB", async () => {
    const { status, body } = await send(new Uint8Array(20 * 1024 * 1024 + 1));
    expect([status, body.detail]).toEqual([413, "The file is larger than 20 MB."]);
  });

  test("a form without a file", async () => {
    const { status, body } = await admin.send("addPicture", { body: {} });
    expect([status, body.fields]).toEqual([422, { file: "Choose a file." }]);
  });

  test("a JPEG with any byte changed, or none", async () => {
    const image = await plain(120, 80).jpeg().toBuffer();
    for (let position = 2; position < image.length; position += 37) {
      const changed = Buffer.from(image);
      changed[position] = (changed[position] as number) ^ 0xff;
      expect([200, 422]).toContain((await send(changed)).status);
    }
  });
});

test("an unknown URL is not found", async () => {
  const unknown = "0".repeat(32);
  for (const name of [
    `${unknown}-160.avif`,
    `${unknown}-160x90.jpg`,
    "x.avif",
    "..%2f..%2fsecret",
    "%2e%2e%2fsecret",
    `${unknown}-160.svg`,
    `..-160.avif`,
  ]) {
    const response = await fetch(`${store.url}/pictures/${name}`);
    expect([name, response.status]).toEqual([name, 404]);
    expect(response.headers.get("cache-control")).toBe("no-store");
  }
});

test("the store responds while pictures are encoded, and encodes concurrent uploads", async () => {
  const sent = await Promise.all(
    Array.from({ length: 6 }, (_, index) =>
      plain(900, 600, { noise: { type: "gaussian", mean: 100 + index, sigma: 30 } })
        .jpeg()
        .toBuffer(),
    ),
  );
  const adding = Promise.all(sent.map((one) => add(one)));
  for (let count = 0; count < 20; count += 1) expect((await fetch(`${store.url}/products`)).status).toBe(200);
  expect(new Set((await adding).map(({ url }) => url)).size).toBe(6);
});

test("an upload whose encoder cannot be started is refused as unavailable, and can be repeated", async () => {
  const crowded = await openStore();
  const by = await adminOf(crowded);
  const sent = await plain(64, 48).png().toBuffer();
  const { execPath } = process;
  // fails as without a free file handle or process
  process.execPath = "/nothing";
  try {
    const { status, body } = await send(sent, "a.png", by);
    expect([status, body.detail]).toEqual([503, pictureRefusals.storageUnavailable]);
  } finally {
    process.execPath = execPath;
  }
  expect((await send(sent, "a.png", by)).status).toBe(200);
  crowded.logs.expect(/could not be started/);
  await crowded.stop();
});

test("an upload that the disk does not take is refused as unavailable, and can be repeated", async () => {
  const full = await openStore();
  const by = await adminOf(full);
  const sent = await plain(64, 48).png().toBuffer();
  const folder = join(full.dataDir, "pictures");
  // fails as a full disk does, also for root
  await writeFile(folder, "");
  const { status, body } = await send(sent, "a.png", by);
  expect([status, body.detail]).toEqual([503, pictureRefusals.storageUnavailable]);
  await rm(folder);
  expect((await send(sent, "a.png", by)).status).toBe(200);
  full.logs.expect(/the picture storage failed/);
  await full.stop();
});

test("files are in the data folder, each complete", async () => {
  const folder = join(store.dataDir, "pictures");
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.includes("."));
  expect(names.length).toBeGreaterThan(50);
  expect(names.filter((name) => !/^[\da-f]{2}\/[\da-f]{32}-[\da-fx-]+\.(avif|webp|jpg)$/.test(name))).toEqual(
    [],
  );
});

describe("in an S3 server", () => {
  let s3: S3rver;
  let directory: string;
  let s3Store: TestStore;
  let url: string;
  const key = { PICTURES_S3_ACCESS_KEY_ID: "S3RVER", PICTURES_S3_SECRET_ACCESS_KEY: "S3RVER" };
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "stator-s3-"));
    const port = await freePort();
    s3 = new S3rver({
      port,
      address: "127.0.0.1",
      silent: true,
      directory,
      configureBuckets: [{ name: "shop", configs: [] }],
    });
    await s3.run();
    url = `http://127.0.0.1:${port}`;
    s3Store = await openStore({ environment: { ...key, PICTURES_S3_URL: `${url}/shop/pictures` } });
  });
  afterAll(async () => {
    await s3Store?.stop();
    await s3?.close();
    await rm(directory, { recursive: true, force: true });
  });

  const problemsOf = async (environment: Record<string, string>) => {
    const lines: string[] = [];
    await printPictureProblems(readConfig(environment), (line) => lines.push(line));
    return lines;
  };

  test("a working bucket and none have no problems", async () => {
    expect(await problemsOf({ ...key, PICTURES_S3_URL: `${url}/shop/pictures` })).toEqual([]);
    expect(await problemsOf({})).toEqual([]);
  });

  test("a picture is stored and served", async () => {
    const { url } = await add(await (await halves(640, 480)).jpeg().toBuffer(), await adminOf(s3Store));
    for (const file of filesOf(url))
      expect((await sharp(await load(file, s3Store)).metadata()).width).toBeGreaterThan(0);
    expect(await readdir(s3Store.dataDir)).not.toContain("pictures");
    expect((await readdir(directory, { recursive: true })).join()).toContain(readPictureUrl(url)?.hash);
    expect((await fetch(`${s3Store.url}/pictures/${"0".repeat(32)}-160.avif`)).status).toBe(404);
  });

  test.each([
    [
      "with a wrong key",
      "/shop",
      { ...key, PICTURES_S3_SECRET_ACCESS_KEY: "wrong" },
      /403: SignatureDoesNotMatch: The/,
    ],
    ["without its bucket", "/nothing", key, /There is no bucket at http/],
    ["that is away", null, key, /"cause":"fetch failed: /],
  ] as const)("%s pictures are refused, and can be uploaded again", async (_, bucket, keys, reason) => {
    const environment = { ...keys, PICTURES_S3_URL: bucket ? url + bucket : "http://127.0.0.1:1/shop" };
    expect(await problemsOf(environment)).toEqual([
      expect.stringMatching(
        /^Pictures: PICTURES_S3_URL does not work: (GET none.jpg returned 403: Sig|There is no bucket|bad port)/,
      ),
    ]);
    const broken = await openStore({ environment });
    const sent = await plain(64, 64).png().toBuffer();
    const { status, body } = await send(sent, "a.png", await adminOf(broken));
    expect([status, body.detail]).toEqual([503, pictureRefusals.storageUnavailable]);
    const { rows } = await broken.pool.query("SELECT stored_at FROM shop.picture");
    expect(rows).toEqual([{ stored_at: null }]);
    broken.logs.expect(reason);
    await broken.stop();
  });

  test.each([
    ["that fails", "http://127.0.0.1:1/shop", /"cause":"fetch failed: /],
    ["whose bucket was deleted", null, /There is no bucket at http/],
  ])("%s is reported with the picture's URL as unavailable", async (_, at, line) => {
    const broken = await openStore({ environment: { ...key, PICTURES_S3_URL: at ?? `${url}/nothing` } });
    const response = await fetch(`${broken.url}/pictures/${"0".repeat(32)}-160.avif`);
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "30"]);
    broken.logs.expect(line);
    await broken.stop();
  });

  test("that closes a connection as it is used again is requested once more", async () => {
    let requests = 0;
    const picture = await plain(64, 64).avif().toBuffer();
    const closing = createServer((request, response) => {
      requests += 1;
      if (requests === 1) request.socket.resetAndDestroy();
      else response.writeHead(200).end(picture);
    });
    await new Promise<void>((resolve) => closing.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void closing.close());
    const { port } = closing.address() as { port: number };
    const other = await openStore({
      environment: { ...key, PICTURES_S3_URL: `http://127.0.0.1:${port}/shop` },
    });
    const response = await fetch(`${other.url}/pictures/${"0".repeat(32)}-160.avif`);
    expect([response.status, requests]).toEqual([200, 2]);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(picture);
    await other.stop();
    closing.closeAllConnections();
  });

  test("that sends 20 MB is not read to the end", async () => {
    const endless = createServer((_request, response) => void response.end(Buffer.alloc(20 * 1024 * 1024)));
    await new Promise<void>((resolve) => endless.listen(0, "127.0.0.1", resolve));
    const { port } = endless.address() as { port: number };
    const broken = await openStore({
      environment: { ...key, PICTURES_S3_URL: `http://127.0.0.1:${port}/shop` },
    });
    expect((await fetch(`${broken.url}/pictures/${"0".repeat(32)}-160.avif`)).status).toBe(503);
    broken.logs.expect(/picture storage/);
    await broken.stop();
    endless.closeAllConnections();
    endless.close();
  });

  test.each(["<h1>Maintenance</h1>", ""])(
    "whose response is %j does not have this kept by browsers as the picture",
    async (text) => {
      const proxy = createServer((_request, response) => void response.end(text));
      await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
      onTestFinished(() => void proxy.close());
      const { port } = proxy.address() as { port: number };
      const other = await openStore({
        environment: { ...key, PICTURES_S3_URL: `http://127.0.0.1:${port}/shop` },
      });
      const response = await fetch(`${other.url}/pictures/${"0".repeat(32)}-160.avif`);
      expect([response.status, response.headers.get("cache-control")]).toEqual([503, "no-store"]);
      other.logs.expect(/is not this picture/);
      await other.stop();
      proxy.closeAllConnections();
    },
  );

  test.each<[string, RequestListener]>([
    ["does not respond does not delay a picture forever", () => undefined],
    [
      "closes in the middle of a picture is reported, too",
      (_request, response) => {
        response.writeHead(200, { "content-length": 1000 }).write("half", () => response.destroy());
      },
    ],
    [
      "redirects to another path is not followed there",
      ({ url }, response) => {
        if (url?.startsWith("/shop/")) response.writeHead(307, { location: "/internal" }).end();
        else response.end("internal");
      },
    ],
  ])("that %s", async (_, handle) => {
    const faulty = createServer(handle);
    await new Promise<void>((resolve) => faulty.listen(0, "127.0.0.1", resolve));
    const { port } = faulty.address() as { port: number };
    const broken = await openStore({
      environment: { ...key, PICTURES_S3_URL: `http://127.0.0.1:${port}/shop` },
    });
    // ten seconds
    const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(AbortSignal.timeout(500));
    expect((await fetch(`${broken.url}/pictures/${"0".repeat(32)}-160.avif`)).status).toBe(503);
    timeout.mockRestore();
    broken.logs.expect(/picture storage/);
    await broken.stop();
    faulty.closeAllConnections();
    faulty.close();
  });
});

/** A PNG whose header names a size, with a compressed row of zeros. */
function hugePng(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const head = Buffer.alloc(4);
    head.writeUInt32BE(data.length);
    const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([head, body, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.alloc(width * 3 + 1))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
