/** Shifts of the layout, as a browser counts them: what moved without a press in the half second before. */
import type { OpenPage } from "./browser.ts";

declare global {
  interface Window {
    shifts?: string[];
  }
}

/** Writes down every shift of the layout with what moved, from before the first paint. */
export async function countShifts({ page }: OpenPage): Promise<void> {
  await page.addInitScript(() => {
    const HAIR = 0.0001; // a word in the header that is half a pixel wider when the typeface comes
    const shifts: string[] = [];
    window.shifts = shifts;
    type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean; sources: { node?: Element }[] };
    new PerformanceObserver((list) => {
      for (const shift of list.getEntries() as Shift[]) {
        const moved = shift.sources.map(({ node }) => node?.outerHTML?.slice(0, 80));
        if (!shift.hadRecentInput && shift.value >= HAIR)
          shifts.push(`${shift.value.toFixed(4)}: ${moved.join(", ")}`);
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
}

/** Those since the page came, each with its size and what moved. */
export const shiftsOf = ({ page }: OpenPage) => page.evaluate(() => window.shifts);
