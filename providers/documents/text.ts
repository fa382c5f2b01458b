import bidiFactory from "bidi-js";
import { openFont, subsetFor, type Weight } from "./fonts.ts";

interface Run {
  text: string;
  subset: string;
  width: number;
}

export interface Line {
  runs: Run[];
  width: number;
}

export interface TextStyle {
  size: number;
  weight: Weight;
}

const LATIN = "@fontsource/archivo/files/archivo-latin";
const ASCII = /^[\x20-\x7e]*$/;
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;
// joiners, variation selectors and marks without a glyph
const INVISIBLE = /[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]|\p{Variation_Selector}/gu;
// scripts without spaces between words
const BREAKS_ANYWHERE = /[\u3000-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]|[\u{20000}-\u{3ffff}]/u;
const REPLACEMENT = "\u25a1";
const bidi = bidiFactory();
const clusters = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Lines of at most `width` points, at most `maxLines` of them; the last ends with an ellipsis if text was omitted. */
export function breakText(text: string, style: TextStyle, width: number, maxLines: number): Line[] {
  const lines: Line[] = [];
  let last = "";
  for (const paragraph of clean(text).split("\n")) {
    if (lines.length >= maxLines) return endWithEllipsis(lines, last, style, width);
    let current = "";
    let used = 0;
    for (const unit of unitsOf(paragraph)) {
      const unitWidth = widthOf(unit, style);
      if (used + widthOf(unit.trimEnd(), style) > width && current) {
        lines.push(lineOf(current.trimEnd(), style));
        if (lines.length >= maxLines) return endWithEllipsis(lines, current, style, width);
        current = "";
        used = 0;
      }
      if (unitWidth <= width) {
        current += unit;
        used += unitWidth;
        continue;
      }
      for (const { segment } of clusters.segment(unit)) {
        const clusterWidth = widthOf(segment, style);
        if (used + clusterWidth > width && current) {
          lines.push(lineOf(current, style));
          if (lines.length >= maxLines) return endWithEllipsis(lines, current, style, width);
          current = "";
          used = 0;
        }
        current += segment;
        used += clusterWidth;
      }
    }
    last = current.trimEnd();
    lines.push(lineOf(last, style));
  }
  return lines;
}

function endWithEllipsis(lines: Line[], last: string, style: TextStyle, width: number): Line[] {
  let kept = [...last.trimEnd()];
  while (kept.length > 0 && widthOf(`${kept.join("")}…`, style) > width) kept = kept.slice(0, -1);
  return [...lines.slice(0, -1), lineOf(`${kept.join("")}…`, style)];
}

/** Control characters become spaces; a character that no font has becomes a visible box. */
function clean(text: string): string {
  if (ASCII.test(text)) return text;
  const spaced = text
    .toWellFormed()
    .normalize("NFC")
    .replace(/\r\n?|[\u2028\u2029]/g, "\n")
    .replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u00a0\u3000]/g, " ")
    .replace(INVISIBLE, "");
  return Array.from(spaced, (character) =>
    character === "\n" || subsetFor(character.codePointAt(0) as number) ? character : REPLACEMENT,
  ).join("");
}

function unitsOf(paragraph: string): string[] {
  const words = paragraph.match(/\S+\s*|\s+/gu) ?? [];
  return words.flatMap((word) =>
    BREAKS_ANYWHERE.test(word) ? Array.from(clusters.segment(word), ({ segment }) => segment) : [word],
  );
}

const widths = new Map<string, number>();
const MAX_WIDTHS = 20_000;

function widthOf(text: string, style: TextStyle): number {
  const key = `${style.weight} ${text}`;
  const known = widths.get(key);
  if (known !== undefined) return known * style.size;
  let em = 0;
  for (const { run, subset } of fontRuns(text)) {
    const font = openFont(subset, style.weight);
    em += font.layout(run).advanceWidth / font.unitsPerEm;
  }
  if (widths.size > MAX_WIDTHS) widths.clear();
  if (text.length < 200) widths.set(key, em);
  return em * style.size;
}

function fontRuns(text: string): { run: string; subset: string; start: number }[] {
  if (ASCII.test(text)) return text === "" ? [] : [{ run: text, subset: LATIN, start: 0 }];
  const runs: { run: string; subset: string; start: number }[] = [];
  let start = 0;
  for (const character of text) {
    const last = runs.at(-1);
    const preferred = subsetFor(character.codePointAt(0) as number) ?? LATIN;
    // a combining mark is set in the font of its character
    const subset =
      last && /\p{M}/u.test(character) && hasGlyph(last.subset, character) ? last.subset : preferred;
    if (last?.subset === subset) last.run += character;
    else runs.push({ run: character, subset, start });
    start += character.length;
  }
  return runs;
}

function hasGlyph(subset: string, character: string): boolean {
  return openFont(subset, 400).hasGlyphForCodePoint(character.codePointAt(0) as number);
}

function lineOf(text: string, style: TextStyle): Line {
  const runs = inVisualOrder(text).map(({ run, subset }) => ({
    text: run,
    subset,
    width: widthOf(run, style),
  }));
  return { runs, width: runs.reduce((sum, run) => sum + run.width, 0) };
}

/** The runs from left to right (Unicode Bidirectional Algorithm, rule L2). */
function inVisualOrder(text: string): { run: string; subset: string }[] {
  if (!RIGHT_TO_LEFT.test(text)) return fontRuns(text);
  const { levels } = bidi.getEmbeddingLevels(text);
  const runs = fontRuns(text).flatMap(({ run, subset, start }) => {
    const parts: { run: string; subset: string; level: number }[] = [];
    let at = start;
    for (const character of run) {
      const level = levels[at] as number;
      const last = parts.at(-1);
      if (last?.level === level) last.run += character;
      else parts.push({ run: character, subset, level });
      at += character.length;
    }
    return parts;
  });
  const highest = Math.max(...runs.map(({ level }) => level));
  for (let level = highest; level > 0; level -= 1) {
    for (let from = 0; from < runs.length; from += 1) {
      let to = from;
      while (to < runs.length && (runs[to] as { level: number }).level >= level) to += 1;
      if (to > from) runs.splice(from, to - from, ...runs.slice(from, to).reverse());
      from = Math.max(from, to);
    }
  }
  // the fonts of right-to-left scripts reverse their own text, also digits, which are read from left to right;
  // punctuation between words is set in Archivo
  return runs.map(({ run, subset, level }) => {
    const isLeftToRight = level % 2 === 0;
    if (isLeftToRight !== RIGHT_TO_LEFT.test(run)) return { run, subset };
    return { run: isLeftToRight ? [...run].reverse().join("") : mirror(run), subset };
  });
}

function mirror(run: string): string {
  return [...run]
    .reverse()
    .map((character) => bidi.getMirroredCharacter(character) ?? character)
    .join("");
}
