/** Archivo, then Noto for characters that Archivo lacks. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { create, type Font } from "fontkit";
import { unpackWoff } from "./woff.ts";

export type Weight = 400 | 600;

const { resolve } = createRequire(import.meta.url);

const PACKAGES = [
  "archivo",
  "noto-sans",
  "noto-sans-hebrew",
  "noto-sans-arabic",
  "noto-sans-sc",
  "noto-sans-kr",
  "noto-emoji",
];

interface Subset {
  file: string;
  ranges: [number, number][];
}

const subsets: Subset[] = PACKAGES.flatMap((name) => {
  const listed: Record<string, string> = JSON.parse(
    readFileSync(resolve(`@fontsource/${name}/unicode.json`), "utf8"),
  );
  return Object.entries(listed).map(([subset, ranges]) => ({
    file: `@fontsource/${name}/files/${name}-${subset.replace(/[[\]]/g, "")}`,
    ranges: ranges.split(",").map(toRange),
  }));
});

function toRange(text: string): [number, number] {
  const [first = "", last = first] = text.trim().replace(/^U\+/i, "").split("-");
  return [Number.parseInt(first, 16), Number.parseInt(last, 16)];
}

const opened = new Map<string, Font>();
const found = new Map<number, string | null>();

export function openFont(subset: string, weight: Weight): Font {
  const file = `${subset}-${weight}-normal.woff`;
  const known = opened.get(file);
  if (known) return known;
  const font = create(unpackWoff(readFileSync(resolve(file)))) as Font;
  opened.set(file, font);
  return font;
}

export function subsetFor(codePoint: number): string | null {
  const known = found.get(codePoint);
  if (known !== undefined) return known;
  const subset = subsets.find(
    ({ file, ranges }) =>
      ranges.some(([first, last]) => codePoint >= first && codePoint <= last) &&
      openFont(file, 400).hasGlyphForCodePoint(codePoint),
  );
  found.set(codePoint, subset?.file ?? null);
  return subset?.file ?? null;
}
