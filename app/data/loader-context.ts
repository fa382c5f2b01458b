/** What the server hands to the loaders of pages. */
import { createContext } from "react-router";
import type { CatalogueQuery, CatalogueResult } from "../../api/catalogue-calls.ts";
import type { Answer, CallName, Input } from "../../api/contract.ts";
import type { Product, Review } from "../../api/entities.ts";
import type { Outcome } from "../../api/outcome.ts";

/** For public pages, whose HTML is the same for everybody: nothing in it depends on who asks. */
export interface Storefront {
  /** in the order in which they were added, at most `limit` */
  listProducts(limit: number): Promise<Product[]>;
  /** null when there is none, or it left the catalogue */
  findProduct(id: string): Promise<Product | null>;
  listReviews(limit: number): Promise<Review[]>;
  /** null for a cursor that is not one of ours */
  searchCatalogue(query: CatalogueQuery): Promise<CatalogueResult | null>;
}

export interface PageConfig {
  /** a tile address with {z}, {x} and {y} */
  mapTiles: string;
  /** where the store is reached, without a closing slash: for Open Graph addresses */
  publicUrl: string;
  /** how a card is charged: by the provider's own page library, or by the embedded sandbox */
  card: { mode: "sandbox" | "stripe"; publishableKey: string };
  /** what takes test cards although others than this machine reach the store; null where that is as it should be */
  testPayments: "sandbox" | "test" | null;
  /** whether Google sign-in is set up */
  google: boolean;
  /** whether mails are kept here for an admin to read, because there is no server to send them with */
  keepsMails: boolean;
  /** hours until an unpaid order is cancelled; 0 = never */
  unpaidHoldHours: number;
}

/** Who asks for a page of the dashboard, by the session of this very request. */
export interface Caller {
  email: string;
  /** whether the calls of an admin are open to them now */
  isAdmin: boolean;
  /** the time zone that their browser last named */
  zone: string;
  /** makes a reading call of the contract in their name */
  ask<Name extends CallName>(name: Name, input: Input<Name>): Promise<Outcome<Answer<Name>>>;
}

export const storefront = createContext<Storefront>();
export const pageConfig = createContext<PageConfig>();
/** Marks the scripts that React and the router render; the server replaces it by their hashes. */
export const scriptNonce = createContext<string>();
/** null without a session, and on public pages; undefined while the database cannot tell */
export const caller = createContext<Caller | null | undefined>(null);
