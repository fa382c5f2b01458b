/** Where SQL may be. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { files, roomOf } from "./imports.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const codeOf = (file: string) =>
  readFileSync(`${root}${file}`, "utf8").replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");

test("one SQL function queues every email", () => {
  const others = files.filter((file) =>
    /add_job\(\s*'send-mail'|INSERT INTO graphile_worker/.test(codeOf(file)),
  );
  expect(others).toEqual([]);
});
