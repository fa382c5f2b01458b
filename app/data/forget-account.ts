/** Removes what this browser keeps of an account that was deleted: its cart, and drafts of its orders. */
export function forgetAccount(email: string): void {
  for (const storage of [localStorage, sessionStorage])
    for (const key of Object.keys(storage)) if (key.endsWith(`:${email}`)) storage.removeItem(key);
}
