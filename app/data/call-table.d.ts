/** Made from the contract when the pages are built; see vite.config.ts. */
declare module "virtual:call-table" {
  type Entry = Pick<import("../../api/call.ts").Call, "method" | "path" | "access">;

  export const callTable: Record<import("../../api/contract.ts").CallName, Entry>;
}
