// cached: creating a formatter takes longer than the rest of an email
const counts = new Intl.NumberFormat("en-US");

/** "1,240", as in the texts around it, which are English. */
export function formatCount(count: number): string {
  return counts.format(count);
}
