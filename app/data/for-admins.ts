// not in guard.ts, which every page carries: only the way back from the login asks for it
const ADMIN_PAGES =
  /^\/dashboard\/(manageOrder|addProduct|manageProduct|makeAdmin|editProduct|overview|reviews|mails|history|synonyms|books|activity)\b/i;

/** Whether a path is one of those that routes.ts puts under the admins' layout. */
export function isAdminPath(path: string): boolean {
  return ADMIN_PAGES.test(path);
}
