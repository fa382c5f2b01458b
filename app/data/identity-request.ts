/** Requests to the identity library's paths, and signing out: as much as every page needs. */
import { signedOut, signOutOffline } from "../../shop/texts/offline.ts";
import { toast } from "../components/toast.ts";
import { clearSession, readToken, readUser } from "./session.ts";

export type IdentityResponse<Data = object> =
  | ({ ok: true } & Data)
  /** `code` is the library's name for the reason, if any */
  | { ok: false; message: string; code?: string | undefined };

const UNREACHABLE = "The server did not respond. Check your connection and try again.";

/**
 * Returns whether the server ended the session too; if not, the cookie is still valid and a toast offers to retry.
 */
export async function endSession(): Promise<boolean> {
  clearSession();
  const { ok } = await identityRequest("POST", "/api/auth/sign-out", {});
  if (!ok) toast.error(signOutOffline, { label: "Try again", onPress: retryEndSession });
  return ok;
}

async function retryEndSession(): Promise<void> {
  if (readUser()) return; // somebody has signed in since
  if (await endSession()) toast.success(signedOut);
}

export async function identityRequest<Data = object>(
  method: string,
  path: string,
  body?: object,
): Promise<IdentityResponse<Data>> {
  const headers: Record<string, string> = { accept: "application/json" };
  if (body) headers["content-type"] = "application/json";
  const token = path.startsWith("/user/") && readToken();
  if (token) headers.authorization = `Bearer ${token}`;
  try {
    const response = await fetch(path, { method, headers, body: body ? JSON.stringify(body) : null });
    const data = (await response.json().catch(() => null)) as
      | (Data & { message?: string; detail?: string; code?: string })
      | null;
    if (response.ok) return { ok: true, ...(data as Data) };
    return { ok: false, message: data?.message ?? data?.detail ?? UNREACHABLE, code: data?.code };
  } catch {
    return { ok: false, message: UNREACHABLE };
  }
}
