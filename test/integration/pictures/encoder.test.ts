/** The processes that encode pictures: they are replaced when one ends, and end with the store. */
import { spawnSync } from "node:child_process";
import sharp from "sharp";
import { expect, test, vi } from "vitest";
import { openEncoder } from "../../../providers/pictures/encoder.ts";

const photo = (width: number, height: number) =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: "#808080",
      noise: { type: "gaussian", mean: 128, sigma: 30 },
    },
  })
    .png()
    .toBuffer();

const from = (bytes: Buffer) =>
  async function* () {
    yield bytes;
  };

/** The ids of this process's encoders. */
const processes = () =>
  spawnSync("pgrep", ["-P", String(process.pid), "-f", "encode-process"], { encoding: "utf8" })
    .stdout.split("\n")
    .filter(Boolean)
    .map(Number);

test("a file that crashes its process is refused and reported, others are encoded, and `close` ends them", async () => {
  const errors: Error[] = [];
  const encoder = openEncoder((error) => errors.push(error));
  const [large, small] = [await photo(3000, 2000), await photo(200, 100)];
  const encoding = encoder.encode(from(large));
  await vi.waitUntil(() => processes().length === 1, { timeout: 10_000, interval: 10 });
  process.kill(processes()[0] as number, "SIGKILL");
  expect(await encoding).toEqual({ problem: "unreadable" });
  expect(errors.map(({ message }) => message)).toEqual(["The process that encodes pictures ended: SIGKILL."]);

  const all = await Promise.all(Array.from({ length: 5 }, () => encoder.encode(from(small))));
  expect(all.map((one) => "width" in one && one.width)).toEqual([200, 200, 200, 200, 200]);
  expect(processes().length).toBe(2);
  encoder.close();
  await vi.waitUntil(() => processes().length === 0, { timeout: 10_000 });
  expect(errors).toHaveLength(1);
});

test("a file that cannot be read completely fails, and the next one is encoded", async () => {
  const encoder = openEncoder(() => undefined);
  const broken = async function* (): AsyncGenerator<Buffer> {
    yield Buffer.from("a");
    throw new Error("The disk is gone.");
  };
  for (let count = 0; count < 4; count += 1)
    await expect(encoder.encode(broken)).rejects.toThrow("The disk is gone.");
  expect(await encoder.encode(from(await photo(20, 10)))).toMatchObject({ width: 20, height: 10 });
  encoder.close();
});
