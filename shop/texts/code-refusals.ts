/** Of the second factor. Only loaded by the server. */
export const codeRefusals = {
  ownSecondFactorFirst:
    "Enter a code of your authenticator app first, or log in again with your passkey or a recovery code. The password is not enough here.",
  codeToSwitchOff:
    "To switch off two-factor authentication, enter a code of your authenticator app or a recovery code too.",
  codeUsed: "This code was used already. Wait for the next one.",
  wrongCode: "The code is wrong.",
  wrongRecoveryCode:
    "This is not one of your recovery codes, or it was used already. Of several lists, only the newest counts.",
  codeTooLate: "The code came too late. Go back to the login and enter your password again.",
  tooManyCodes: "Too many wrong codes. Go back to the login and enter your password again.",
  codesLocked: "Too many wrong codes for this account. Wait fifteen minutes, then log in again.",
} as const;
