import { notices, type SecurityNoticeJob } from "./account-jobs.ts";
import { formatInstant, greeting } from "./formatting.ts";
import { type Email, renderEmail, type Site } from "./layout.ts";

/** `link` is a path of this store, or a URL on it; any other throws. */
export interface AccountLink extends Site {
  name: string;
  link: string;
}

export interface SecurityNotice extends Site {
  name: string;
  event: SecurityNoticeJob["event"];
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
