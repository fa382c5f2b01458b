/** The delivery promise of the specification, section 1: 24 to 72 hours after payment. */
export const DELIVERY_HOURS = { from: 24, to: 72 };

/** Whole hours since an ISO instant. */
export function hoursSince(at: string, now: number): number {
  return Math.max(0, Math.floor((now - Date.parse(at)) / 3_600_000));
}

/** Whether an order that was paid so many hours ago and is not shipped breaks the promise. */
export function isLate(hours: number): boolean {
  return hours >= DELIVERY_HOURS.to;
}
