/** Rendering documents in the worker thread: time, size, memory, and how long the event loop waits meanwhile. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { openRenderer } from "../../providers/documents/renderer.ts";
import { invoiceSheet } from "../../shop/documents/sheets.ts";
import { formatInteger, printRow, type Table } from "./table.ts";

const SIZES = [1, 20, 200, 2000];
const TIMES = 5;
const MAX_BLOCKED_MS = 50;

function invoiceOf(count: number) {
  const lines = Array.from({ length: count }, (_, index) => ({
    lineNumber: index + 1,
    productName: `Drill driver ${index + 1}`,
    itemNumber: `DD 18-${index + 1}`,
    quantity: 20,
    priceCents: 11_900,
    totalCents: 238_000,
  }));
  return invoiceSheet({
    seller: {
      name: "Stator",
      address: "14 Foundry Lane",
      email: "a@b.example",
      phone: "",
      taxNumber: "",
      bank: "",
    },
    buyer: { name: "Halloran Fit-Out", email: "c@d.example", address: "Unit 6, Canal Yard", phone: "" },
    order: { number: 10_001, poNumber: "HFO-4471", contact: "", placedAt: "2026-11-16T00:00:00Z" },
    number: 10_001,
    issuedAt: new Date("2026-11-18T00:00:00Z"),
    totalCents: 238_000 * count,
    paymentId: "pi_1",
    mode: "live",
    lines,
  });
}

/** Throws if the event loop is blocked for longer than the limit. */
export async function measureDocuments(): Promise<Table> {
  const renderer = openRenderer();
  await renderer.render(invoiceOf(1), "a4");
  const rows: string[][] = [];
  for (const size of SIZES) {
    const sheet = invoiceOf(size);
    const delay = monitorEventLoopDelay({ resolution: 1 });
    const times: number[] = [];
    let bytes = 0;
    delay.enable();
    for (let time = 0; time < TIMES; time += 1) {
      const began = performance.now();
      bytes = (await renderer.render(sheet, "a4"))?.length ?? 0;
      times.push(performance.now() - began);
    }
    delay.disable();
    const blocked = delay.max / 1e6;
    if (blocked > MAX_BLOCKED_MS)
      throw new Error(`The event loop was blocked for ${formatInteger(blocked)} ms.`);
    const median = times.sort((a, b) => a - b)[Math.floor(TIMES / 2)] as number;
    const memory = process.memoryUsage().rss / 2 ** 20;
    rows.push([
      formatInteger(size),
      formatInteger(median),
      formatInteger(bytes / 1024),
      blocked.toFixed(1),
      formatInteger(memory),
    ]);
    printRow(rows.at(-1) as string[]);
  }
  await renderer.close();
  return {
    title: "Rendering an invoice as PDF",
    head: [
      "Lines",
      "Median, ms",
      "Size, KB",
      "Event loop blocked at most, ms (limit 50)",
      "Memory of the process, MB",
    ],
    rows,
  };
}
