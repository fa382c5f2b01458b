import { splitCells } from "../split-cells.ts";

export interface Tracking {
  carrier: string;
  trackingNumber: string;
}

export interface TrackingsByOrder {
  /** by the number of the order */
  trackings: Map<number, Partial<Tracking>>;
  /** what else is in the first column, without a heading */
  unknown: string[];
}

/**
 * Reads rows of order number, optional carrier and tracking number, as a carrier's list has them in its own order. Null if
 * no row names one of the orders: the cells are then in the order of the page.
 */
export function readTrackingsByOrder(text: string, numbers: readonly number[]): TrackingsByOrder | null {
  const delimiter = ["\t", ";", ","].find((one) => text.includes(one));
  if (!delimiter) return null;
  const trackings = new Map<number, Partial<Tracking>>();
  const unknown: string[] = [];
  for (const [index, row] of splitCells(text, delimiter).entries()) {
    // the API refuses line breaks
    const [order = "", ...cells] = row.map((cell) => cell.replace(/\p{Cc}+/gu, " ").trim());
    const number = numbers.find((one) => String(one) === order.replace(/^#/, ""));
    if (number !== undefined && cells.some(Boolean))
      trackings.set(number, merge(trackings.get(number), cells));
    else if (order !== "" && number === undefined && (index > 0 || /\d/.test(order))) unknown.push(order);
  }
  return trackings.size > 0 ? { trackings, unknown } : null;
}

/** An order of several parcels has a row for each. */
function merge(earlier: Partial<Tracking> = {}, cells: string[]): Partial<Tracking> {
  const [first = "", second = ""] = cells;
  const [carrier, trackingNumber] = cells.length < 2 ? ["", first] : [first, second];
  const all = [...new Set([earlier.trackingNumber, trackingNumber].filter(Boolean))].join(", ");
  return { ...earlier, ...(carrier && { carrier }), ...(all && { trackingNumber: all }) };
}
