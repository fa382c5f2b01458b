// Needs `npm install --no-save subset-font@2.9.0`; run it after adding a weight, a width or a symbol.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import subset from "subset-font";

const { resolve } = createRequire(import.meta.url);
const fullFont = readFileSync(resolve("@fontsource-variable/archivo/files/archivo-latin-wdth-normal.woff2"));
const variationAxes = { wght: { min: 400, max: 650 }, wdth: { min: 84, max: 116 } };

const first = `${characterRange(0x20, 0x7e)}\u00a0©°±²³µ·×Ø–—‘’“”•…€−`;
const western = [...`${characterRange(0xa1, 0xff)}ıŒœʻʼˆ˚˜ ‚„†‡‰‹›⁄™↑↓∕`]
  .filter((character) => !first.includes(character))
  .join("");

for (const [name, text] of Object.entries({ first, western })) {
  const file = fileURLToPath(new URL(`../app/styles/typefaces/archivo-${name}.woff2`, import.meta.url));
  const bytes = await subset(fullFont, text, { targetFormat: "woff2", variationAxes });
  writeFileSync(file, bytes);
  const codes = [...text].map((character) => character.codePointAt(0)).sort((a, b) => a - b);
  process.stdout.write(`${name}: ${bytes.length} bytes, unicode-range: ${ranges(codes)}\n`);
}

function characterRange(from, to) {
  return String.fromCodePoint(...Array.from({ length: to - from + 1 }, (_, offset) => from + offset));
}

function ranges(codes) {
  const runs = [];
  for (const code of codes) {
    const last = runs.at(-1);
    if (last && code === last[1] + 1) last[1] = code;
    else runs.push([code, code]);
  }
  const hex = (code) => code.toString(16).padStart(4, "0");
  return runs.map(([from, to]) => `U+${hex(from)}${to > from ? `-${hex(to)}` : ""}`).join(", ");
}
