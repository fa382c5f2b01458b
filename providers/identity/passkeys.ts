/** A passkey is both factors, so one that did not verify its user (PIN, biometrics) is refused. */
import { passkey } from "@better-auth/passkey";
import { APIError } from "better-auth/api";
import { refusals } from "../../shop/texts/refusals.ts";

export function passkeysFor(publicUrl: string) {
  return passkey({
    rpID: new URL(publicUrl).hostname,
    rpName: "Stator",
    origin: publicUrl,
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    registration: {
      afterVerification: async ({ verification }) => {
        if (!verification.registrationInfo?.userVerified) throw notVerified();
      },
    },
    authentication: {
      afterVerification: async ({ verification }) => {
        if (!verification.authenticationInfo.userVerified) throw notVerified();
      },
    },
    advanced: { webAuthnChallengeCookie: "passkey" },
  });
}

/** The library reports an invalid response of a key as a failure; it is a refusal. */
export async function toPasskeyRefusal(response: Response): Promise<Response> {
  if (response.status !== 500) return response;
  const { code } = (await response
    .clone()
    .json()
    .catch(() => null)) ?? { code: undefined };
  if (code !== "FAILED_TO_VERIFY_REGISTRATION") return response;
  return Response.json({ code, message: refusals.passkeyFailed }, { status: 400 });
}

function notVerified(): APIError {
  return new APIError("FORBIDDEN", {
    code: "USER_NOT_VERIFIED",
    message: refusals.passkeyNotVerified,
  });
}
