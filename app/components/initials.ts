/** Of the first and the last word of a name or an email. */
export function initialsOf(name: string): string {
  const words = name.split(/[\s@.]+/).filter(Boolean);
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words;
  return ends.map((word) => [...(word as string)][0]?.toUpperCase()).join("");
}
