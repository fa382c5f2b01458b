import { formatInstant, greeting } from "./formatting.ts";
import { type Email, renderEmail, type Site } from "./layout.ts";

/** `link` is a path of this store, or a URL on it; any other throws. */
export interface AccountLink extends Site {
  name: string;
  link: string;
}

export interface SecurityNotice extends Site {
  name: string;
  event: keyof typeof notices;
  at: Date;
}

export function verifyEmail({ name, link, ...site }: AccountLink): Email {
  return renderEmail({
    ...site,
    subject: "Confirm your email address",
    preview: "Confirm the email address of your account.",
    heading: "Confirm your email address",
    greeting: greeting(name),
    paragraphs: ["This address was entered for an account at Stator. Please confirm that it is yours."],
    button: { label: "Confirm email", path: link },
    note: "If you did not enter it, ignore this email.",
  });
}

export function resetPassword({ name, link, ...site }: AccountLink): Email {
  return renderEmail({
    ...site,
    subject: "Set a new password",
    preview: "A new password was requested. The link works for one hour.",
    heading: "Set a new password",
    greeting: greeting(name),
    paragraphs: ["A new password was requested for your account at Stator."],
    button: { label: "Set password", path: link },
    note: "The link works once, for one hour. If you did not request it, ignore this email: your password does not change.",
  });
}

/** Security notifications, which the owner must get even if someone else caused the event. */
export function securityNotice({ name, event, at, ...site }: SecurityNotice): Email {
  const when = formatInstant(at);
  const notice = notices[event];
  return renderEmail({
    ...site,
    subject: notice.subject,
    preview: `${notice.what} on ${when}.`,
    heading: notice.subject,
    greeting: greeting(name),
    paragraphs: [`${notice.what} on ${when}.`, notice.advice],
    button: { label: "Open Stator", path: "/login" },
  });
}

const notices = {
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
