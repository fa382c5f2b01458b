/** Who has no name to be seen: reviews are public, so it is never the e-mail. */
export const ANONYMOUS_NAME = "A customer";

/** Whether a name has a sign that people see: blanks have none, nor do signs without a width. */
export function hasVisibleText(name: string): boolean {
  return /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}]/u.test(name);
}
