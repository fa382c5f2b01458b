/** Which folders may contain SQL. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { files, folderOf } from "./imports.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const codeOf = (file: string) =>
  readFileSync(`${root}${file}`, "utf8").replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");

test("one SQL function queues every email", () => {
  const others = files.filter((file) =>
    /add_job\(\s*'send-mail'|INSERT INTO graphile_worker/.test(codeOf(file)),
  );
  expect(others).toEqual([]);
});

test("the server has no SQL; what it needs from the database is a function of database or shop", () => {
  const statement =
    /["'`]\s*(SELECT|INSERT INTO|UPDATE|DELETE FROM|WITH|BEGIN|COMMIT|ROLLBACK|SET|LISTEN|NOTIFY|CREATE|ALTER|DROP|TRUNCATE|LOCK|CALL)\b[^"'`]*/;
  const found = files
    .filter((file) => folderOf(file) === "server")
    .flatMap((file) => {
      const match = statement.exec(codeOf(file));
      return match ? [`${file}: ${match[0].slice(0, 60)}`] : [];
    });
  expect(found).toEqual([]);
});
