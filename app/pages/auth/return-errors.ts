import { refusals } from "../../../shop/refusals.ts";

const words: Record<string, string> = {
  access_denied: refusals.googleRefused,
  email_not_verified: refusals.googleNotVerified,
  account_not_linked: refusals.googleNotLinked,
  email_does_not_match: refusals.googleOtherEmail,
  account_already_linked_to_different_user: refusals.googleTaken,
  ACCOUNT_DISABLED: refusals.accountDisabled,
  TOKEN_USED: refusals.linkUsed,
  TOKEN_EXPIRED: refusals.verificationLinkInvalid,
  INVALID_TOKEN: refusals.verificationLinkInvalid,
  USER_NOT_FOUND: refusals.verificationLinkInvalid,
  INVALID_USER: refusals.logInForLink,
  LOG_IN_FIRST: refusals.logInForLink,
};

/**
 * The words for a reason with which the identity provider sends somebody back. Only our own words are shown: an
 * address is easily made by a stranger, who must not be able to put a text of theirs onto our page.
 */
export function wordsOfReturn(reason: string | null): string | null {
  if (reason === null) return null;
  return (Object.hasOwn(words, reason) && words[reason]) || refusals.googleFailed;
}
