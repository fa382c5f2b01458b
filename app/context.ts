/** What the server hands to the loaders of public pages. Their HTML is the same for everybody, so nothing here knows who looks. */
import { createContext } from "react-router";
import type { CatalogueQuery, CatalogueResult } from "../api/catalogue-calls.ts";
import type { Product, Review } from "../api/entities.ts";

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
  /** whether Google sign-in is set up */
  google: boolean;
  /** whether mails are kept here for an admin to read, because there is no server to send them with */
  keepsMails: boolean;
}

export const storefront = createContext<Storefront>();
export const pageConfig = createContext<PageConfig>();
