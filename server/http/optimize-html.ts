/** Reasons and gains: app/performance/README.md. */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import type { StylesheetPart } from "../../app/performance/split-stylesheet.ts";
import { criticalCss, type StylesFor } from "./critical-css.ts";

/** `styles` are the inlined ones, for their hashes in the Content-Security-Policy. */
export type OptimizeHtml = (html: string) => { html: string; styles: string[] };

const stylesheet = /<link rel="stylesheet" href="([^"#]+)(#?)"\/?>/g;

/** `stylesheets`: the file that the build has written (app/performance/split-stylesheet.ts). */
export function optimizeHtml(stylesheets: string): OptimizeHtml {
  const parts: Record<string, StylesheetPart[]> = JSON.parse(readFileSync(stylesheets, "utf8"));
  const known = new Map(Object.entries(parts).map(([name, sheet]) => [name, criticalCss(sheet)]));
  const stylesOf = (path: string): StylesFor => known.get(basename(path)) as StylesFor;
  return (page) => {
    const end = page.indexOf("</head>");
    const head = page.slice(0, end);
    const styles: string[] = [];
    const optimizedHead = head
      .replace(stylesheet, (_, path: string, hash: string) => {
        const style = stylesOf(path)(page);
        if (style) styles.push(style);
        // right before its stylesheet: the cascade is the same, whichever stylesheet is applied first
        const inline = style && `<style data-critical>${style}</style>`;
        // media="print" loads it without blocking the first paint; with another href, React would not accept the page
        return `${inline}<link rel="stylesheet" href="${path}${hash}" media="print"/>`;
      })
      .replaceAll('<link rel="modulepreload"', '<link rel="later"');
    const body = page.slice(end).replace('<script type="module" async="">', '<script type="later">');
    const html = optimizedHead + body;
    return { html, styles };
  };
}
