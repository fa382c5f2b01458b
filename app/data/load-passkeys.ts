import type { IdentityResponse } from "./identity-request.ts";
import { withLoadTimeout } from "../performance/load-chunk.ts";

const UNAVAILABLE = "What passkeys need could not be loaded. Check your connection and try again.";

/** Does `work` with what passkeys need of the browser, which is loaded now; a refusal when it cannot be loaded. */
export async function withPasskeys(
  work: (keys: typeof import("./passkeys.ts")) => Promise<IdentityResponse>,
): Promise<IdentityResponse> {
  try {
    return await work(await withLoadTimeout(import("./passkeys.ts")));
  } catch {
    return { ok: false, message: UNAVAILABLE };
  }
}
