/** The chart of growth, drawn from the tables in docs/benchmarks.md. */
import { readFileSync, writeFileSync } from "node:fs";

const docs = new URL("../../docs/", import.meta.url);

interface Line {
  name: string;
  points: [x: string, y: number][];
}

/** Draws docs/growth.svg; a missing table leaves its panel empty. */
export function drawGrowth(): void {
  const figures = readFileSync(new URL("benchmarks.md", docs), "utf8");
  const searches = rowsOf(figures, "searching");
  // by buyers without pause, with one process
  const purchases = rowsOf(figures, "buying").filter(
    ([buyers, workers]) => workers === "1" && /^\d+$/.test(buyers ?? ""),
  );
  const panels = [
    panel("Search, p50 and p95 in ms, by tools", [
      { name: "p95", points: searches.map((row) => [row[0] ?? "", numbers(row[1])[1] ?? 0]) },
      { name: "p50", points: searches.map((row) => [row[0] ?? "", numbers(row[1])[0] ?? 0]) },
    ]),
    panel("Memory of the store in MB, by tools", [
      { name: "resident", points: searches.map((row) => [row[0] ?? "", numbers(row.at(-2))[0] ?? 0]) },
    ]),
    panel("Purchases per second, by buyers", [
      { name: "bare SQL", points: purchases.map((row) => [row[0] ?? "", numbers(row[3])[0] ?? 0]) },
      { name: "store", points: purchases.map((row) => [row[0] ?? "", numbers(row[2])[0] ?? 0]) },
    ]),
  ];
  const placed = panels.map((one, at) => `<g transform="translate(${at * 320} 0)">${one}</g>`).join("\n");
  writeFileSync(
    new URL("growth.svg", docs),
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 260" font-family="sans-serif" font-size="12">
<rect width="960" height="260" fill="#fff"/>
${placed}
</svg>
`,
  );
}

function panel(title: string, lines: Line[]): string {
  const highest = Math.max(1, ...lines.flatMap((line) => line.points.map(([, y]) => y)));
  const count = Math.max(2, ...lines.map((line) => line.points.length));
  const x = (at: number) => 30 + (at * 220) / (count - 1);
  const y = (value: number) => 210 - (value / highest) * 150;
  const drawn = lines.map((line, at) => {
    const colour = at === 0 ? "#141C24" : "#74838F";
    const path = line.points.map(([, value], place) => `${x(place)},${y(value).toFixed(1)}`).join(" ");
    const labels = line.points.map(
      ([, value], place) =>
        `<text x="${x(place)}" y="${(y(value) - 8).toFixed(1)}" text-anchor="middle" fill="${colour}">${value.toLocaleString("en-US")}</text>`,
    );
    const end = line.points.at(-1)?.[1] ?? 0;
    return `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/>${labels.join("")}
<text x="${x(line.points.length - 1) + 8}" y="${y(end) + 4}" fill="${colour}">${line.name}</text>`;
  });
  const ticks = (lines[0]?.points ?? []).map(
    ([name], place) => `<text x="${x(place)}" y="230" text-anchor="middle" fill="#33404D">${name}</text>`,
  );
  return `<text x="16" y="28" font-weight="600" fill="#141C24">${title}</text>
<line x1="16" y1="210" x2="290" y2="210" stroke="#74838F"/>
${drawn.join("\n")}
${ticks.join("")}`;
}

/** The cells of a section's rows. */
function rowsOf(figures: string, section: string): string[][] {
  const block =
    new RegExp(`<!-- bench ${section} -->([\\s\\S]*?)<!-- end ${section} -->`).exec(figures)?.[1] ?? "";
  return block
    .split("\n")
    .filter((row) => row.startsWith("| "))
    .slice(2)
    .map((row) => row.slice(2, -2).split(" | "));
}

function numbers(cell = ""): number[] {
  return [...cell.replaceAll(",", "").matchAll(/\d+(\.\d+)?/g)].map(([number]) => Number(number));
}
