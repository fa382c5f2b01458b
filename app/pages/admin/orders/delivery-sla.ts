/** The delivery promise of the specification, section 1: 24 to 72 hours after payment. */
export const DELIVERY_HOURS = { from: 24, to: 72 };

export function hoursSince(at: string, now: number): number {
  return Math.max(0, Math.floor((now - Date.parse(at)) / 3_600_000));
}

/** Whether an unshipped order breaks the promise this many hours after its payment. */
export function isLate(hours: number): boolean {
  return hours >= DELIVERY_HOURS.to;
}
