/** Comments use standard terms (docs/glossary.md), not other words for the same things. */
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|[\s;,{}()])\/\/.*$/gm;
const NONSTANDARD =
  /\b(whoever|whomever|whichever of them|anew|beside|is told|are told|stands? (?:in|there|at)|mends?|befalls?|the books|e-mails?|mails?(?! (?:server|client|scanner)s?)|faults?|picked)\b/gi;

test("comments use standard terms", () => {
  const files = globSync("{app,api,shop,providers,database,server,packages,bin,test}/**/*.{ts,tsx,mjs}", {
    cwd: root,
    exclude: (path) => path.includes("node_modules") || path.endsWith("architecture/words.test.ts"),
  });
  expect(files.length).toBeGreaterThan(800);
  const found = files.flatMap((file) =>
    [...readFileSync(`${root}${file}`, "utf8").matchAll(COMMENT)].flatMap(([comment]) =>
      [...comment.replace(/\s*\n\s*\*?\s*/g, " ").matchAll(NONSTANDARD)].map(([word]) => `${file}: ${word}`),
    ),
  );
  expect(found, "Use a term of docs/glossary.md, or the ordinary word.").toEqual([]);
});
