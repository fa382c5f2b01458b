import { loginRefusals } from "../../../shop/texts/login-refusals.ts";

const messages: Record<string, string> = {
  access_denied: loginRefusals.googleRefused,
  email_not_verified: loginRefusals.googleNotVerified,
  account_not_linked: loginRefusals.googleNotLinked,
  email_does_not_match: loginRefusals.googleOtherEmail,
  account_already_linked_to_different_user: loginRefusals.googleTaken,
  ACCOUNT_DISABLED: loginRefusals.accountDisabled,
  TOKEN_USED: loginRefusals.linkUsed,
  EMAIL_TAKEN: loginRefusals.newEmailTaken,
  TOKEN_EXPIRED: loginRefusals.verificationLinkInvalid,
  INVALID_TOKEN: loginRefusals.verificationLinkInvalid,
  USER_NOT_FOUND: loginRefusals.verificationLinkInvalid,
  INVALID_USER: loginRefusals.logInForLink,
  LOG_IN_FIRST: loginRefusals.logInForLink,
};

/** The message for an error code in the URL. Never the text of the URL itself, which anyone can craft. */
export function returnErrorMessage(reason: string | null): string | null {
  if (reason === null) return null;
  return (Object.hasOwn(messages, reason) && messages[reason]) || loginRefusals.googleFailed;
}
