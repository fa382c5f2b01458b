import type { Readable } from "node:stream";
import { type PageRequest, ROWS_PER_READ } from "../../database/pagination.ts";
import { type CsvColumns, streamCsv } from "../csv.ts";
import { isRefusal, type Refusal } from "../refusal.ts";

type ListPage<Key extends string, Row> = Record<Key, Row[]> & { next?: string | undefined };

/** All pages of a list. The first is read before the response starts, so that a refusal can still be sent. */
export async function exportPages<Row, Key extends string>(
  columns: CsvColumns<Row>,
  key: Key,
  { bom }: { bom: boolean },
  read: (page: PageRequest) => Promise<ListPage<Key, Row> | Refusal>,
): Promise<Readable | Refusal> {
  const first = await read({ limit: ROWS_PER_READ });
  if (isRefusal(first)) return first;
  return streamCsv(columns, pagesFrom(first), { bom });

  async function* pagesFrom(start: ListPage<Key, Row>): AsyncGenerator<Row[]> {
    for (let page = start; ; ) {
      yield page[key];
      if (!page.next) return;
      const next = await read({ limit: ROWS_PER_READ, cursor: page.next });
      if (isRefusal(next)) throw new Error(next.detail);
      page = next;
    }
  }
}
