import type { Readable } from "node:stream";
import { type CsvColumns, streamCsv } from "../csv.ts";
import { isRefusal, type Refusal } from "../refusal.ts";

const ROWS_PER_READ = 1000;

interface Position {
  limit: number;
  cursor?: string | undefined;
}

/** All pages of a list. The first is read before the response starts, so that a refusal can still be sent. */
export async function exportPages<Row, Page extends { next?: string | undefined }>(
  columns: CsvColumns<Row>,
  { bom }: { bom: boolean },
  read: (position: Position) => Promise<Page | Refusal>,
  rowsOf: (page: Page) => Row[],
): Promise<Readable | Refusal> {
  const first = await read({ limit: ROWS_PER_READ });
  if (isRefusal(first)) return first;
  return streamCsv(columns, pagesFrom(first), { bom });

  async function* pagesFrom(start: Page): AsyncGenerator<Row[]> {
    for (let page = start; ; ) {
      yield rowsOf(page);
      if (!page.next) return;
      const next = await read({ limit: ROWS_PER_READ, cursor: page.next });
      if (isRefusal(next)) throw new Error(next.detail);
      page = next;
    }
  }
}
