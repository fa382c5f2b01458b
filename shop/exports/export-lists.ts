import type { CallName, Output, Request } from "../../api/contract.ts";
import { readUsers } from "../accounts/search.ts";
import { searchActivity } from "../accounts/security-events.ts";
import { listAuditLog } from "../audit-log/list.ts";
import { listSynonyms } from "../catalogue/synonyms.ts";
import { type CsvColumns, streamCsv } from "../csv.ts";
import { type Pick, readPicks } from "../orders/pick-list.ts";
import { lastReport } from "../reconciliation/run.ts";
import { isRefusal } from "../refusal.ts";
import { readReviews } from "../reviews/search.ts";
import { findMovements, findStock, readLevels } from "../stock/queries.ts";
import type { Store } from "../store.ts";
import { exportPages } from "./export-pages.ts";

type Query<Name extends CallName> = Request<Name>["query"];
type ListItem<Name extends CallName, Key extends keyof Output<Name>> = Output<Name>[Key] extends (infer Row)[]
  ? Row
  : never;

const picks: CsvColumns<Pick> = {
  item_number: ({ item_number }) => item_number,
  product: ({ product_name }) => product_name,
  pieces: ({ pieces }) => pieces,
  order_number: ({ number }) => number,
  buyer: ({ buyer }) => buyer,
  disputed: ({ is_disputed }) => is_disputed,
};

export const exportPickList = (store: Store, { bom, orders }: Query<"exportPickList">) =>
  streamCsv(picks, readPicks(store, orders), { bom });

type Check = Partial<ListItem<"reconcile", "faults">> & { claim: string; checkedAt: string };

const checks: CsvColumns<Check> = {
  checked_at: ({ checkedAt }) => checkedAt,
  check: ({ claim }) => claim,
  passed: ({ detail }) => detail === undefined,
  discrepancy: ({ detail }) => detail,
  purchase_id: ({ purchaseId }) => purchaseId,
  refund_id: ({ refundId }) => refundId,
};

/** A row for each discrepancy, and for each check that passed. */
export const exportReconciliation = async (store: Store, { bom }: Query<"exportReconciliation">) =>
  streamCsv(checks, readChecks(store), { bom });

async function* readChecks(store: Store): AsyncGenerator<Check[]> {
  const report = await lastReport(store);
  if (!report) return;
  const { claims, faults, checkedAt } = report;
  const rows = claims.flatMap((claim): { claim: string }[] => {
    const found = faults.filter((fault) => fault.claim === claim);
    return found.length > 0 ? found : [{ claim }];
  });
  yield rows.map((row) => ({ ...row, checkedAt }));
}

const stock: CsvColumns<ListItem<"listStock", "products">> = {
  item_number: ({ itemNumber }) => itemNumber,
  product: ({ name }) => name,
  quantity: ({ quantity }) => quantity,
  reorder_point: ({ reorderPoint }) => reorderPoint,
  promised: ({ promised }) => promised,
};

export const exportStock = async (store: Store, search: Query<"exportStock">) =>
  streamCsv(stock, readLevels(store, search), { bom: search.bom });

const ledger: CsvColumns<ListItem<"findStock", "movements">> = {
  at: ({ at }) => at,
  kind: ({ kind }) => kind,
  pieces: ({ pieces }) => pieces,
  quantity: ({ quantity }) => quantity,
  reason: ({ reason }) => reason,
  by: ({ by }) => by,
  order_number: ({ orderNumber }) => orderNumber,
};

/** The stock is carried from page to page: adding up the ledger for each would be quadratic. */
export function exportStockLedger(store: Store, productId: string, search: Query<"exportStockLedger">) {
  let last: { quantity: number; pieces: number } | undefined;
  return exportPages(ledger, "movements", search, async (page) => {
    const found = last
      ? await findMovements(store, productId, { ...page, stock: last.quantity - last.pieces })
      : await findStock(store, productId, page);
    if (!isRefusal(found)) last = found.movements.at(-1);
    return found;
  });
}

const users: CsvColumns<ListItem<"searchUsers", "users">> = {
  email: ({ email }) => email,
  name: ({ name }) => name,
  role: ({ role }) => role,
  email_verified: ({ emailVerified }) => emailVerified,
  closed: ({ closed }) => closed === true,
};

export const exportUsers = (store: Store, search: Query<"exportUsers">) =>
  exportPages(users, "users", search, (page) => readUsers(store, { ...search, ...page }));

const reviews: CsvColumns<ListItem<"searchReviews", "reviews">> = {
  written_at: ({ writtenAt }) => writtenAt,
  name: ({ name }) => name,
  email: ({ email }) => email,
  rating: ({ rating }) => rating,
  description: ({ description }) => description,
  hidden: ({ hidden }) => hidden,
};

export const exportReviews = (store: Store, search: Query<"exportReviews">) =>
  exportPages(reviews, "reviews", search, (page) => readReviews(store, { ...search, ...page }));

const synonyms: CsvColumns<ListItem<"listSynonyms", "synonyms">> = {
  term: ({ term }) => term,
  same_as: ({ sameAs }) => sameAs,
};

export const exportSynonyms = (store: Store, search: Query<"exportSynonyms">) =>
  exportPages(synonyms, "synonyms", search, (page) => listSynonyms(store, { ...search, ...page }));

const activity: CsvColumns<ListItem<"searchActivity", "events">> = {
  at: ({ at }) => at,
  name: ({ who }) => who?.name,
  email: ({ who }) => who?.email,
  what: ({ what }) => what,
  detail: ({ detail }) => detail,
  by: ({ by }) => by,
  ip: ({ ip }) => ip,
  agent: ({ agent }) => agent,
};

export const exportActivity = (store: Store, search: Query<"exportActivity">) =>
  exportPages(activity, "events", search, (page) => searchActivity(store, { ...search, ...page }));

const auditLog: CsvColumns<ListItem<"listHistory", "events">> = {
  at: ({ at }) => at,
  name: ({ who }) => who?.name,
  email: ({ who }) => who?.email,
  role: ({ role }) => role,
  what: ({ what }) => what,
  subject: ({ subject }) => subject,
  subject_id: ({ subjectId }) => subjectId,
  about: ({ about }) => about,
  purchase_id: ({ purchaseId }) => purchaseId,
  before: ({ before }) => before && JSON.stringify(before),
  after: ({ after }) => after && JSON.stringify(after),
  ip: ({ ip }) => ip,
  agent: ({ agent }) => agent,
};

export const exportAuditLog = (store: Store, search: Query<"exportAuditLog">) =>
  exportPages(auditLog, "events", search, (page) => listAuditLog(store, { ...search, ...page }));

const emails: CsvColumns<ListItem<"listEmails", "mails">> = {
  sent_at: ({ sentAt }) => sentAt,
  to: ({ to }) => to,
  subject: ({ subject }) => subject,
};

interface Outbox {
  list(limit: number, before?: string): Promise<Output<"listEmails">>;
}

export const exportEmails = (outbox: Outbox, search: Query<"exportEmails">) =>
  exportPages(emails, "mails", search, ({ limit, cursor }) => outbox.list(limit, cursor));
