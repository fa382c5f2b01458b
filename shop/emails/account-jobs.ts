/** The payloads of emails about accounts, and the texts of security notices. */
export interface SecurityNoticeJob {
  mail: "securityNotice";
  email: string;
  name: string;
  event: keyof typeof notices;
  at: string;
}

export interface AccountEmailJob {
  mail: "verifyEmail" | "resetPassword";
  email: string;
  name: string;
  /** a path of this store, whose origin may change while an email is queued */
  url: string;
}

export const notices = {
  passwordChanged: {
    subject: "Your password was changed",
    what: "The password of your account was changed",
    advice: "If that was not you, choose Forgot Password on the login page at once and set a new one.",
  },
  emailChanged: {
    subject: "Your email address was changed",
    what: "The email address of your account was changed to another one",
    advice:
      "Emails about your account go to the new address from now on. If that was not you, contact the store at once.",
  },
  twoFactorOn: {
    subject: "Two-factor authentication was turned on",
    what: "Two-factor authentication of your account was turned on",
    advice: "Keep the recovery codes in a safe place. If that was not you, choose Forgot Password at once.",
  },
  twoFactorOff: {
    subject: "Two-factor authentication was turned off",
    what: "Two-factor authentication of your account was turned off",
    advice: "If that was not you, choose Forgot Password on the login page at once and set a new one.",
  },
  recoveryCodesReplaced: {
    subject: "Your account has new recovery codes",
    what: "The recovery codes of your account were replaced by new ones",
    advice:
      "Keep them in a safe place. If that was not you, choose Forgot Password at once and set a new one.",
  },
  googleConnected: {
    subject: "Your account is connected with Google",
    what: "Your account was connected with the Google account of this address",
    advice: "You can now log in with either. If that was not you, choose Forgot Password at once.",
  },
  googleDisconnected: {
    subject: "Your account is no longer connected with Google",
    what: "The Google account of this address was disconnected from your account",
    advice: "You can now log in without it only. If that was not you, choose Forgot Password at once.",
  },
  passkeyAdded: {
    subject: "Your account has a new passkey",
    what: "A passkey was added to your account",
    advice:
      "If that was not you, remove it at once under Dashboard, Account, and change your password there.",
  },
  passkeyRemoved: {
    subject: "A passkey of your account was removed",
    what: "A passkey of your account was removed",
    advice: "If that was not you, choose Forgot Password on the login page at once and set a new one.",
  },
  registrationTried: {
    subject: "Somebody tried to register with your email",
    what: "Somebody tried to create an account with your address",
    advice:
      "You already have an account, so nothing was changed. If it was you, log in, or choose Forgot Password. If not, no action is needed.",
  },
  accountDeleted: {
    subject: "Your account was deleted",
    what: "Your account was deleted",
    advice: "Your orders are kept without your name, for accounting. If that was not you, contact the store.",
  },
  madeAdmin: {
    subject: "You are now an admin",
    what: "Your account was made an admin of the store",
    advice: "You can now manage orders, tools and roles. If you did not expect this, contact the store.",
  },
} as const;
