import { createContext } from "react-router";
import type { CatalogueDetail, CatalogueQuery, CatalogueResult } from "../../api/catalogue-calls.ts";
import type { CallName, Input, Output } from "../../api/contract.ts";
import type { Product, Review } from "../../api/entities.ts";
import type { Outcome } from "../../api/outcome.ts";

/** For public pages, whose HTML is the same for every visitor: nothing in it depends on the user. */
export interface Storefront {
  /** in the order in which they were added, at most `limit` */
  listProducts(limit: number): Promise<Product[]>;
  /** null if it does not exist or is no longer sold */
  findProduct(id: string): Promise<Product | null>;
  listReviews(limit: number): Promise<Review[]>;
  /** null for an invalid cursor */
  searchCatalogue(query: CatalogueQuery, detail: CatalogueDetail): Promise<CatalogueResult | null>;
}

export interface PageConfig {
  /** a URL of tiles with {z}, {x} and {y} */
  mapTiles: string;
  /** the public origin, without a closing slash: for Open Graph URLs */
  publicUrl: string;
  /** how a card is charged: by Stripe.js or the sandbox */
  card: { mode: "sandbox" | "stripe"; publishableKey: string };
  /** the kind of test payments of a public store; null with live keys or on a local store */
  testPayments: "sandbox" | "test" | null;
  google: boolean;
  /** whether emails are kept in the outbox, because no SMTP server is configured */
  keepsEmails: boolean;
  /** hours until an unpaid order is cancelled; 0: never */
  unpaidHoldHours: number;
}

/** Makes a GET call of the contract: `call` of api-client.ts in the browser, `Caller.call` in a loader. */
export type MakeCall = <Name extends CallName>(
  name: Name,
  input: Input<Name>,
) => Promise<Outcome<Output<Name>>>;

export interface Caller {
  email: string;
  /** whether the admin may make admin calls now */
  isAdmin: boolean;
  /** the time zone last named by their browser */
  zone: string;
  /** for figures and dates, from their browser's languages */
  locale: string;
  /** as this user */
  call: MakeCall;
}

export const storefront = createContext<Storefront>();
export const pageConfig = createContext<PageConfig>();
/** Logs what a page failed with. */
export const report = createContext<(error: unknown) => void>();
/** Marks the scripts that React and the router render; the server replaces it by their hashes. */
export const scriptNonce = createContext<string>();
/** The rendered document; the response has no body, since that would be encoded and decoded again. */
export const renderedHtml = createContext<string | null>(null);
/** null without a session, and on public pages; undefined while the database is unavailable */
export const caller = createContext<Caller | null | undefined>(null);
