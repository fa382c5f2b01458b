/** Shown for users without a visible name; reviews are public, so never the email. */
export const ANONYMOUS_NAME = "A customer";

/** Zero-width characters do not count. */
export function hasVisibleText(name: string): boolean {
  return /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}]/u.test(name);
}
