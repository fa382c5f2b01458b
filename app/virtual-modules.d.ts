/** The modules that build-virtual-modules.ts generates. */
declare module "virtual:call-table" {
  /** Method and path, with a colon between them where no access token is sent; not of calls that respond with CSV. */
  export const callTable: Record<import("../api/contract.ts").CallName, `${string}${" " | ":"}/${string}`>;
}

declare module "virtual:dashboard-pages" {
  type Listed = Pick<import("../api/pages.ts").Page, "menu" | "startsGroup" | "prefetch">;

  /** The pages with a label. `name` is the path below /dashboard, `children` those of pages below it. */
  export const dashboardPages: (Listed & { name: string; label: string; children?: string[] })[];
}

declare module "virtual:protected-paths" {
  /** Protected pages whose guard is in the browser, because their HTML is cached. */
  export const PROTECTED_PATHS: RegExp;
}

/** A module of its own: only the login needs it, while every page loads the one above. */
declare module "virtual:admin-paths" {
  export const ADMIN_PATHS: RegExp;
}
