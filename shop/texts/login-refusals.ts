/** Separate from refusals.ts to keep the login page small. No imports; safe in a browser. */
export const loginRefusals = {
  tooManyAttempts: "Too many attempts. Wait a while and try again.",
  resetLinkInvalid: "This password link is no longer valid. Request a new one.",
  verificationLinkInvalid: "This confirmation link is no longer valid. Request a new one.",
  confirmEmailFirst: "Email not verified. A new link is on its way to you: open it, then log in.",
  googleNotConfigured: "Login with Google is not set up on this store.",
  googleFailed: "Login with Google did not succeed. Try again or use your email.",
  googleDown: "Google does not respond at the moment. Try again or use your email.",
  googleRefused: "Google login was refused. Try again or use your email.",
  googleNotVerified: "Google has not confirmed the email address of that account, so it cannot be used here.",
  googleNotLinked:
    "An account with this email has a password. Log in with it first, then connect Google under Dashboard, Account.",
  googleOtherEmail: "The Google account has another email address than this account.",
  googleTaken: "This Google account belongs to another account of the store.",
  registrationFailed:
    "This account could not be created. If you have one already, log in or choose Forgot Password.",
  passwordTooLong: "Use at most 128 characters.",
  commonPassword: "This password is too common. Choose another one.",
  accountDisabled: "This account is closed. Contact the store if you think this is a mistake.",
  linkUsed: "This link was used already. If it was you, log in.",
  newEmailTaken: "Another account has this email now, so yours was not changed.",
  logInForLink: "Log in with the account that requested the new email, then open the link again.",
  onlyAdmin: "You are the only admin of this store. Make another user an admin first.",
  ownAccountCannotBeClosed:
    "You cannot close your own account. Delete it under Dashboard, Account, or ask another admin to close it.",
  sessionNotYours: "This session is not one of yours, or has ended already.",
  noPassword:
    "This account has no password. Log in with Google again instead, or set one with Forgot Password.",
  wrongPassword: "The password is wrong.",
  confirmFirst: "Confirm your identity first, under Dashboard, Account. This is required once an hour.",
  secondFactorFirst:
    "Admins need two-factor authentication. Set it up, enter a code or use a passkey under Dashboard, Account.",
} as const;
