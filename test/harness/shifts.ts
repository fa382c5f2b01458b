/** Layout shifts without user input in the half second before, as browsers count them. */
import type { OpenPage } from "./browser.ts";

declare global {
  interface Window {
    shifts?: string[];
  }
}

/** Records every layout shift with its sources, from before the first paint. */
export async function countShifts({ page }: OpenPage): Promise<void> {
  await page.addInitScript(() => {
    const NEGLIGIBLE = 0.0001; // a word in the header grows by half a pixel when the typeface loads
    const shifts: string[] = [];
    window.shifts = shifts;
    type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean; sources: { node?: Element }[] };
    new PerformanceObserver((list) => {
      for (const shift of list.getEntries() as Shift[]) {
        const moved = shift.sources.map(({ node }) => node?.outerHTML?.slice(0, 80));
        if (!shift.hadRecentInput && shift.value >= NEGLIGIBLE)
          shifts.push(`${shift.value.toFixed(4)}: ${moved.join(", ")}`);
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
}

/** Those since the page load, each with its size and sources. */
export const shiftsOf = ({ page }: OpenPage) => page.evaluate(() => window.shifts);
