import type { booksCalls } from "../../api/books-calls.ts";
import { lookAtBooks } from "../../shop/books/look.ts";
import { listHistory } from "../../shop/history/list.ts";
import type { OperationsOf } from "./operations.ts";

export const booksOperations: OperationsOf<typeof booksCalls> = {
  listHistory: ({ store }, { query }) => listHistory(store, query),
  checkBooks: ({ store }, { query: { since, wait } }) => lookAtBooks(store, { since, waitMs: wait * 1000 }),
};
