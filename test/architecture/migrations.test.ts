/** A released migration never changes: existing databases have applied it. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const folder = new URL("../../database/migrations/", import.meta.url);
const read = (name: string) => readFileSync(new URL(name, folder), "utf8");
const files = readdirSync(folder).filter((name) => name.endsWith(".sql"));
const frozen = read("SHA256SUMS")
  .trim()
  .split("\n")
  .map((line) => line.split("  ") as [string, string]);
const sumOf = (name: string) => createHash("sha256").update(read(name)).digest("hex");

test("no released migration was changed, renamed or removed", () => {
  const changed = frozen.filter(([sum, name]) => !files.includes(name) || sumOf(name) !== sum);
  expect(
    changed.map(([, name]) => name),
    "Stores that ran these refuse to start when they change. Restore them and add a new migration instead.",
  ).toEqual([]);
});

test("every migration has its checksum", () => {
  const missing = files.filter((name) => !frozen.some(([, known]) => known === name));
  const commands = missing.map((name) => `echo "${sumOf(name)}  ${name}" >> database/migrations/SHA256SUMS`);
  expect(missing, `Freeze what is about to be released:\n${commands.join("\n")}\n`).toEqual([]);
});

test("no two migrations have the same number", () => {
  const numbers = files.map((name) => name.slice(0, 4));
  expect(numbers).toEqual([...new Set(numbers)]);
});
