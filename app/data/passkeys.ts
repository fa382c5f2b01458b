/** Passkeys, through the browser's own dialog. Loaded on demand. */
import { passkeyRefusals } from "../../shop/texts/passkey-refusals.ts";
import { type IdentityResponse, identityRequest } from "./identity-request.ts";
import { restoreSession } from "./session-api.ts";

const PATH = "/api/auth/passkey";

const messages: Record<string, string> = {
  PASSKEY_NOT_FOUND: passkeyRefusals.passkeyUnknown,
  AUTHENTICATION_FAILED: passkeyRefusals.passkeyFailed,
  CHALLENGE_NOT_FOUND: passkeyRefusals.passkeyFailed,
  PREVIOUSLY_REGISTERED: passkeyRefusals.passkeyThere,
};

/** Signs in with a passkey, which counts as both factors; also used for step-up. */
export async function signInWithPasskey(): Promise<IdentityResponse> {
  if (!isSupported()) return refuse(passkeyRefusals.passkeysUnsupported);
  const offered = await identityRequest<PublicKeyCredentialRequestOptionsJSON>(
    "GET",
    `${PATH}/generate-authenticate-options`,
  );
  if (!offered.ok) return messageFor(offered);
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON({
    ...offered,
    userVerification: "required",
  });
  const asserted = await openDialog(
    () => navigator.credentials.get({ publicKey }),
    passkeyRefusals.passkeyNotGiven,
  );
  if (!asserted.ok) return asserted;
  const outcome = await identityRequest("POST", `${PATH}/verify-authentication`, {
    response: asserted.key.toJSON(),
  });
  return outcome.ok ? restoreSession() : messageFor(outcome);
}

/** Creates a passkey on this device, or one nearby, and adds it to the account as `name`. */
export async function addPasskey(name: string): Promise<IdentityResponse> {
  if (!isSupported()) return refuse(passkeyRefusals.passkeysUnsupported);
  const offered = await identityRequest<PublicKeyCredentialCreationOptionsJSON>(
    "GET",
    `${PATH}/generate-register-options`,
  );
  if (!offered.ok) return messageFor(offered);
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(offered);
  const created = await openDialog(
    () => navigator.credentials.create({ publicKey }),
    passkeyRefusals.passkeyNotMade,
  );
  if (!created.ok) return created;
  return messageFor(
    await identityRequest("POST", `${PATH}/verify-registration`, { response: created.key.toJSON(), name }),
  );
}

export async function renamePasskey(id: string, name: string): Promise<IdentityResponse> {
  return messageFor(await identityRequest("POST", `${PATH}/update-passkey`, { id, name }));
}

export async function removePasskey(id: string): Promise<IdentityResponse> {
  return messageFor(await identityRequest("POST", `${PATH}/delete-passkey`, { id }));
}

function isSupported(): boolean {
  return "parseRequestOptionsFromJSON" in (window.PublicKeyCredential ?? {});
}

type DialogResult = { ok: true; key: PublicKeyCredential } | { ok: false; message: string };

/** Opens the browser's dialog; closing it, or a timeout, counts as no passkey. */
async function openDialog(open: () => Promise<Credential | null>, noPasskey: string): Promise<DialogResult> {
  try {
    const key = await open();
    return key ? { ok: true, key: key as PublicKeyCredential } : refuse(noPasskey);
  } catch (error) {
    const reason = error instanceof DOMException ? error.name : "";
    if (reason === "InvalidStateError") return refuse(passkeyRefusals.passkeyThere);
    const isImpossible = reason === "SecurityError" || reason === "NotSupportedError";
    return refuse(isImpossible ? passkeyRefusals.passkeysUnsupported : noPasskey);
  }
}

function refuse(message: string): { ok: false; message: string } {
  return { ok: false, message };
}

function messageFor<Given extends IdentityResponse>(outcome: Given): Given {
  const known = !outcome.ok && messages[outcome.code ?? ""];
  return known ? { ...outcome, message: known } : outcome;
}
