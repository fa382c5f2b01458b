/** Cuts a long text, and not in the middle of a character, which the database could not store. */
export function truncate(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max).replace(/[\uD800-\uDBFF]$/, "")}…` : text;
}
