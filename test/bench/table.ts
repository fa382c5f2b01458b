/** A table of figures, printed and written into docs/benchmarks.md between its markers. */

import { readFileSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";

export interface Table {
  title: string;
  head: string[];
  rows: string[][];
  note?: string;
}

const figures = new URL("../../docs/benchmarks.md", import.meta.url);

export function formatInteger(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}

/** Printed at once, as progress. */
export function printRow(cells: string[]): void {
  process.stdout.write(`  ${cells.join("  |  ")}\n`);
}

/** Replaces the table of `section` in docs/benchmarks.md, between its markers. */
export function writeTable(section: string, { title, head, rows, note }: Table): void {
  const table = [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
  const busy = (loadavg()[1] ?? 0).toFixed(1);
  const date = new Date().toISOString().slice(0, 10);
  const block = [
    `<!-- bench ${section} -->`,
    `### ${title}`,
    "",
    table,
    "",
    ...(note ? [note, ""] : []),
    `\`npm run bench -- ${section}\`, ${date}, a machine of two cores with ${busy} runnable processes (2 or fewer: idle).`,
    `<!-- end ${section} -->`,
  ].join("\n");
  const before = readFileSync(figures, "utf8");
  const place = new RegExp(`<!-- bench ${section} -->[\\s\\S]*?<!-- end ${section} -->`);
  writeFileSync(
    figures,
    place.test(before) ? before.replace(place, () => block) : `${before.trimEnd()}\n\n${block}\n`,
  );
}
