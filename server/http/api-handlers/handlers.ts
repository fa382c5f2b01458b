import type { Readable } from "node:stream";
import { type CallName, contract, type Output, type Request } from "../../../api/contract.ts";
import type { Page } from "../../../database/pagination.ts";
import type { Outbox } from "../../../providers/email/outbox.ts";
import type { Identity } from "../../../providers/identity/connect-identity.ts";
import { makeAdmin } from "../../../shop/accounts/make-admin.ts";
import { findUser, listUsers } from "../../../shop/accounts/queries.ts";
import type { AuthenticationState } from "../../../shop/accounts/session-user.ts";
import { updateProfile } from "../../../shop/accounts/update-profile.ts";
import { upsertUser } from "../../../shop/accounts/upsert-user.ts";
import { searchCatalogue, suggestProducts } from "../../../shop/catalogue/search.ts";
import { cancelPurchase } from "../../../shop/orders/cancel.ts";
import { placePurchase } from "../../../shop/orders/place-purchase.ts";
import { findPurchase, listPurchases } from "../../../shop/orders/queries.ts";
import { shipPurchase } from "../../../shop/orders/ship.ts";
import { confirmPayment } from "../../../shop/payments/confirm.ts";
import { createPaymentIntent } from "../../../shop/payments/create-intent.ts";
import type { PictureEncoder, PictureStorage } from "../../../shop/pictures/ports.ts";
import { findPrice } from "../../../shop/pricing/find-price.ts";
import { addProduct } from "../../../shop/products/add.ts";
import { deleteProduct } from "../../../shop/products/delete.ts";
import { findProduct, listProducts } from "../../../shop/products/queries.ts";
import {
  addStockAlert,
  askForStockAlert,
  findStockAlert,
  removeStockAlert,
} from "../../../shop/products/stock-alert.ts";
import { isRefusal, type Refusal, refuse } from "../../../shop/refusal.ts";
import { addReview } from "../../../shop/reviews/add.ts";
import { listReviews } from "../../../shop/reviews/queries.ts";
import type { Store, User } from "../../../shop/store.ts";
import { refusals } from "../../../shop/texts/refusals.ts";
import type { Session } from "../../auth/access.ts";
import type { Tokens } from "../../auth/tokens.ts";
import { accountHandlers } from "./account-handlers.ts";
import { adminHandlers } from "./admin-handlers.ts";
import { orderHandlers } from "./order-handlers.ts";

export interface HandlerContext {
  store: Store;
  tokens: Tokens;
  identity: Identity;
  outbox?: Outbox | undefined;
  encoder: PictureEncoder;
  pictures: PictureStorage;
}

export interface CallInput<Name extends CallName> extends Request<Name> {
  user: User;
  session: Session;
  authentication: AuthenticationState;
  requestId: string;
}

type Result<Name extends CallName> =
  | Output<Name>
  | Refusal
  | (Output<Name> extends (infer Row)[] ? Page<Row> : never)
  | (Output<Name> extends string ? Readable : never);

export type Handlers = {
  [Name in CallName]: (context: HandlerContext, input: CallInput<Name>) => Promise<Result<Name>>;
};

export const handlers: Handlers = {
  ...orderHandlers,
  ...adminHandlers,
  ...accountHandlers,
  searchCatalogue: ({ store }, { query }) => searchCatalogue(store, query),
  findPrice: ({ store }, { params, query }) => findPrice(store, params.id, query.quantity),
  findStockAlert: ({ store }, { user, params }) => findStockAlert(store, user, params.id),
  addStockAlert: ({ store }, { user, params }) => addStockAlert(store, user, params.id),
  removeStockAlert: ({ store }, { user, params }) => removeStockAlert(store, user, params.id),
  askForStockAlert: ({ store }, { params, body }) => askForStockAlert(store, params.id, body.email),
  suggestTools: ({ store }, { query }) => suggestProducts(store, query.q),
  issueToken: async ({ store, tokens }, { session, params }) => {
    if (session.user.email.toLowerCase() !== params.email)
      return refuse("forbidden", refusals.tokenForOtherEmail);
    const user = await upsertUser(store, session.user);
    return { token: await tokens.issue(user, session.id) };
  },
  findUser: ({ store }, { params }) => findUser(store, params.email),
  listProducts: ({ store }, { query }) => listProducts(store, query),
  findProduct: ({ store }, { params }) => findProduct(store, params.id),
  listReviews: ({ store }, { query }) => listReviews(store, query),
  placePurchase: ({ store }, { user, body }) => placePurchase(store, user, body),
  listPurchasesOf: ({ store }, { params, query }) => listPurchases(store, query, params.email),
  listPurchases: ({ store }, { query }) => listPurchases(store, query),
  cancelPurchase: ({ store }, { user, params, requestId }) =>
    cancelPurchase(store, user, params.id, requestId),
  shipPurchase: ({ store }, { params, body }) => shipPurchase(store, params.id, body.seenShipped),
  findPayment: async ({ store }, { user, params }) => {
    const found = await findPurchase(store, params.id, user);
    return isRefusal(found) ? found : contract.findPayment.output.parse(found);
  },
  createPaymentIntent: ({ store }, { user, body, requestId }) =>
    createPaymentIntent(store, user, body, requestId),
  confirmPayment: ({ store }, { user, params, body, requestId }) =>
    confirmPayment(store, user, params.id, body.transactionId, requestId),
  addReview: ({ store }, { user, body }) => addReview(store, user, body),
  updateProfile: ({ store }, { user, body }) => updateProfile(store, user, body),
  addProduct: ({ store }, { body }) => addProduct(store, body),
  deleteProduct: ({ store }, { params }) => deleteProduct(store, params.id),
  listUsers: ({ store }, { query }) => listUsers(store, query),
  makeAdmin: ({ store }, { params, body }) => makeAdmin(store, params.email, body.confirmUnconfirmed),
};
