import { type LowStockJob, lowStockEmail } from "../stock/low-stock-email.ts";
import type { Store } from "../store.ts";
import type { AccountEmailJob, SecurityNoticeJob } from "./account-jobs.ts";
import { resetPassword, securityNotice, verifyEmail } from "./account-templates.ts";
import { composeOrderEmail, type OrderEmailJob } from "./compose-order-email.ts";
import type { Email, Site } from "./layout.ts";
import { type StockAlertJob, stockAlertEmail } from "./stock-alert-email.ts";

/** The payload of an email job: of an order only ids, from which the rest is read. */
export type EmailJob = AccountEmailJob | SecurityNoticeJob | OrderEmailJob | StockAlertJob | LowStockJob;

export type ComposedEmail = Email & { to: string; unsubscribe?: string };

/** Null if the email is no longer needed. Throws if its order does not exist. */
export async function composeEmail(store: Store, site: Site, job: EmailJob): Promise<ComposedEmail | null> {
  if ("alertId" in job) return stockAlertEmail(store, site, job);
  if (job.mail === "lowStock") return lowStockEmail(store, site, job);
  if (job.mail === "securityNotice") {
    const { email: to, name, event } = job;
    return { to, ...securityNotice({ ...site, name, event, at: new Date(job.at) }) };
  }
  if ("orderId" in job || "purchaseId" in job) return composeOrderEmail(store, site, job);
  const compose = job.mail === "verifyEmail" ? verifyEmail : resetPassword;
  // an older job may contain an absolute URL
  const { pathname, search } = new URL(job.url, site.publicUrl);
  return { to: job.email, ...compose({ ...site, name: job.name, link: pathname + search }) };
}
