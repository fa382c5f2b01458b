/** The mails of the store about an account: its address, its password, its role. */
import { dress, linkTo, type Mail } from "./layout.ts";
import { greet, moment } from "./wording.ts";

/** `link` is a path of this store, or an address on it; one that leads elsewhere is a defect. */
export interface AccountLink {
  publicUrl: string;
  name: string;
  link: string;
}

/** What happened to the account, and when. */
export interface SecurityNotice {
  publicUrl: string;
  name: string;
  event: "passwordChanged" | "madeAdmin";
  at: Date;
}

/** After registration (specification, section 7: verification email). */
export function verifyEmail({ publicUrl, name, link }: AccountLink): Mail {
  return dress({
    publicUrl,
    subject: "Confirm your email address",
    preview: "One click, and the address of your account is confirmed.",
    heading: "Confirm your email address",
    greeting: greet(name),
    paragraphs: ["An account was made at Stator with this address. Please confirm that it is yours."],
    button: { label: "Confirm email", href: linkTo(publicUrl, link) },
    note: "If you did not make an account, ignore this mail.",
  });
}

/** After Forgot Password (section 5). */
export function resetPassword({ publicUrl, name, link }: AccountLink): Mail {
  return dress({
    publicUrl,
    subject: "Set a new password",
    preview: "A new password was asked for. The link works for one hour.",
    heading: "Set a new password",
    greeting: greet(name),
    paragraphs: ["Somebody, probably you, asked for a new password for your account at Stator."],
    button: { label: "Set password", href: linkTo(publicUrl, link) },
    note: "The link works once, for one hour. If you did not ask for it, ignore this mail: your password stays as it is.",
  });
}

/** After something that its owner should know of even if somebody else did it. */
export function securityNotice({ publicUrl, name, event, at }: SecurityNotice): Mail {
  const when = moment(at);
  const said = notices[event];
  return dress({
    publicUrl,
    subject: said.subject,
    preview: `${said.what} on ${when}.`,
    heading: said.subject,
    greeting: greet(name),
    paragraphs: [`${said.what} on ${when}.`, said.advice],
    button: { label: "Open Stator", href: linkTo(publicUrl, "/login") },
  });
}

const notices = {
  passwordChanged: {
    subject: "Your password was changed",
    what: "The password of your account was changed",
    advice: "If that was not you, choose Forgot Password on the login page at once and set a new one.",
  },
  madeAdmin: {
    subject: "You are now an admin",
    what: "Your account was made an admin of the store",
    advice: "You can now manage orders, products and roles. If you did not expect this, tell the store.",
  },
} as const;
