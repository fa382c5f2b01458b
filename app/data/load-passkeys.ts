import { withLoadTimeout } from "../performance/load-chunk.ts";
import type { IdentityResponse } from "./identity-request.ts";

const UNAVAILABLE = "The passkey script could not be loaded. Check your connection and try again.";

/** Loads the passkey functions and calls `run` with them; refuses if they cannot be loaded. */
export async function withPasskeys(
  run: (keys: typeof import("./passkeys.ts")) => Promise<IdentityResponse>,
): Promise<IdentityResponse> {
  const keys = await withLoadTimeout(import("./passkeys.ts")).catch(() => null);
  return keys ? run(keys) : { ok: false, message: UNAVAILABLE };
}
