import type { adminCalls } from "../../../api/admin-calls.ts";
import { searchUsers } from "../../../shop/accounts/search.ts";
import { searchActivity } from "../../../shop/accounts/security-events.ts";
import { addSynonym, deleteSynonym, listSynonyms } from "../../../shop/catalogue/synonyms.ts";
import { listFailedEmails, retryEmail } from "../../../shop/emails/failed-emails.ts";
import { redactSecretLinks } from "../../../shop/emails/redact-links.ts";
import { exportPurchases } from "../../../shop/orders/export-purchases.ts";
import { searchPurchases } from "../../../shop/orders/search.ts";
import { restoreProduct } from "../../../shop/products/delete.ts";
import { editProduct } from "../../../shop/products/edit.ts";
import { searchProducts } from "../../../shop/products/search.ts";
import { refuse } from "../../../shop/refusal.ts";
import { readDashboard } from "../../../shop/reports/dashboard.ts";
import { hideReview } from "../../../shop/reviews/hide.ts";
import { searchReviews } from "../../../shop/reviews/search.ts";
import { refusals } from "../../../shop/texts/refusals.ts";
import type { HandlersOf } from "./handlers.ts";

export const adminHandlers: HandlersOf<typeof adminCalls> = {
  searchPurchases: ({ store }, { query }) => searchPurchases(store, query),
  exportPurchases: ({ store }, { query }) => exportPurchases(store, query),
  searchProducts: ({ store }, { query }) => searchProducts(store, query),
  editProduct: ({ store }, { params, body }) => editProduct(store, params.id, body),
  restoreProduct: ({ store }, { params }) => restoreProduct(store, params.id),
  listSynonyms: ({ store }, { query }) => listSynonyms(store, query),
  addSynonym: ({ store }, { body }) => addSynonym(store, body),
  deleteSynonym: ({ store }, { params }) => deleteSynonym(store, params.id),
  searchUsers: ({ store }, { query }) => searchUsers(store, query),
  searchReviews: ({ store }, { query }) => searchReviews(store, query),
  hideReview: ({ store }, { params, body }) => hideReview(store, params.id, body.hidden),
  searchActivity: ({ store }, { query }) => searchActivity(store, query),
  overview: ({ store }, { query }) => readDashboard(store, query),
  listFailedEmails: ({ store }) => listFailedEmails(store),
  retryEmail: ({ store }, { params }) => retryEmail(store, params.job),
  listEmails: async ({ outbox }, { query }) => {
    if (!outbox) return refuse("missing", refusals.noOutbox);
    const { mails, ...page } = await outbox.list(query.limit, query.cursor);
    return { mails: mails.map(({ id, to, subject, sentAt }) => ({ id, to, subject, sentAt })), ...page };
  },
  findMail: async ({ outbox }, { params }) => {
    if (!outbox) return refuse("missing", refusals.noOutbox);
    const email = await outbox.find(params.id);
    return email ? redactSecretLinks(email) : refuse("missing", refusals.emailNotFound);
  },
};
