/** What admins do to products while they are ordered: edits, the archive, bulk changes and imports. */
import type { BulkChange } from "../../api/import-calls.ts";
import { runImport } from "../../shop/import/run.ts";
import { applyImport, startBulkChange, startImport } from "../../shop/import/start.ts";
import { undoImport } from "../../shop/import/undo.ts";
import { deleteProduct, restoreProduct } from "../../shop/products/delete.ts";
import { editProduct } from "../../shop/products/edit.ts";
import { findAdminProduct } from "../../shop/products/queries.ts";
import { isRefusal } from "../../shop/refusal.ts";
import { changeStock } from "../../shop/stock/change.ts";
import type { Store, User } from "../../shop/store.ts";

interface Choice {
  which: number;
  how: number;
}

interface Catalogue {
  store: Store;
  admin: User;
  /** their item numbers are N-0, N-1 and so on */
  products: string[];
}

type StockChange = Parameters<typeof changeStock>[3];

/** `imports` collects the ids of imports and bulk changes, which later steps apply or undo. */
export function catalogueSteps(catalogue: () => Catalogue) {
  const productOf = ({ which }: Choice) => {
    const { products } = catalogue();
    return products[which % products.length] as string;
  };
  /** As the job does. */
  const run = (id: string) => runImport(catalogue().store, { importId: id }, new AbortController().signal);

  return {
    async changeStock(_: unknown, choice: Choice) {
      const { how } = choice;
      const change =
        how % 2 ? { kind: "count", pieces: 9_000 + how } : { kind: "correct", pieces: how % 4 ? 5 : -5 };
      const { store, admin } = catalogue();
      return changeStock(store, admin, productOf(choice), { ...change, reason: "x" } as StockChange);
    },
    async edit(_: unknown, choice: Choice) {
      const { store } = catalogue();
      const product = await findAdminProduct(store, productOf(choice));
      if (isRefusal(product)) return product;
      const { _id, archived, version = 1, ...form } = product;
      return editProduct(store, _id, {
        ...form,
        version,
        seenQuantity: form.quantity,
        quantity: form.quantity + (choice.how % 9),
        price: (5_000 + choice.how) / 100,
      });
    },
    async archive(_: unknown, choice: Choice) {
      return deleteProduct(catalogue().store, productOf(choice));
    },
    async restore(_: unknown, choice: Choice) {
      return restoreProduct(catalogue().store, productOf(choice));
    },
    async changeSeveral({ imports }: { imports: string[] }, { which, how }: Choice) {
      const changes: Pick<BulkChange, "field" | "how" | "value">[] = [
        { field: "price", how: "percent", value: (how % 21) - 10 },
        { field: "quantity", how: "amount", value: (how % 21) - 10 },
        { field: "quantity", how: "set", value: 9_000 + how },
        { field: "archived", how: "set", value: how % 3 ? "no" : "yes" },
      ];
      const change = changes[which % changes.length] as (typeof changes)[number];
      const { store, admin, products } = catalogue();
      const { _id } = await startBulkChange(store, admin, { ids: products, ...change } as BulkChange);
      imports.push(_id);
      return run(_id).then(() => _id);
    },
    async importFile({ imports }: { imports: string[] }, { how }: Choice) {
      const { store, admin, products } = catalogue();
      const rows = products.map((_, index) => `N-${index},${9_000 + how},${50 + index}`);
      const bytes = Buffer.from(["item_number,quantity,price", ...rows].join("\n"));
      async function* open() {
        yield bytes;
      }
      const file = { name: "stock.csv", size: bytes.length, sha256: String(how), open };
      const started = await startImport(store, admin, { file, dryRun: true });
      if (isRefusal(started)) return started;
      imports.push(started._id);
      return run(started._id).then(() => started);
    },
    async applyImport({ imports }: { imports: string[] }, { which }: Choice) {
      const { store, admin } = catalogue();
      const id = imports[which % imports.length];
      if (!id) return null;
      const applied = await applyImport(store, admin, id);
      if (!isRefusal(applied)) await run(id);
      return applied;
    },
    async undoImport({ imports }: { imports: string[] }, { which }: Choice) {
      const { store, admin } = catalogue();
      const id = imports[which % imports.length];
      if (!id) return null;
      const undo = await undoImport(store, admin, id);
      if (!isRefusal(undo)) await run(undo._id);
      return undo;
    },
  };
}
