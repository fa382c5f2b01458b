import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Output } from "../../api/contract.ts";
import { EMAIL_ID } from "../../api/fields.ts";

export type OutboxEmail = Omit<Output<"findMail">, "hides">;

export interface Outbox {
  /** newest first; `next` is the cursor of the next page, and `all` counts up to `countLimit`, if there is one */
  list(limit: number, before?: string): Promise<Output<"listEmails"> & { mails: OutboxEmail[] }>;
  find(id: string): Promise<OutboxEmail | null>;
}

/** A missing folder counts as empty. */
export function openOutbox(folder: string): Outbox {
  async function find(id: string): Promise<OutboxEmail | null> {
    // prevents path traversal
    if (!EMAIL_ID.test(id)) return null;
    try {
      const email = JSON.parse(await readFile(join(folder, `${id}.json`), "utf8")) as Omit<OutboxEmail, "id">;
      const { to, subject, sentAt, text, html } = email;
      return { id, to, subject, sentAt, text, html };
    } catch (error) {
      // being written; it is complete at the next read
      if (isMissing(error) || error instanceof SyntaxError) return null;
      throw error;
    }
  }

  async function listIds(): Promise<string[]> {
    try {
      const files = await readdir(folder);
      const ids = files
        .filter((file) => file.endsWith(".json"))
        .map((file) => file.slice(0, -".json".length));
      return ids.filter((id) => EMAIL_ID.test(id)).sort(newestFirst);
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  }

  return {
    find,
    async list(limit, before) {
      const all = await listIds();
      const start = before === undefined ? 0 : all.findIndex((id) => newestFirst(id, before) > 0);
      const page = start < 0 ? [] : all.slice(start, start + limit);
      const emails = (await Promise.all(page.map(find))).filter((email) => email !== null);
      const last = page.at(-1);
      const hasMore = start >= 0 && start + limit < all.length;
      return { mails: emails, all: all.length, ...(hasMore && last && { next: last }) };
    },
  };
}

function newestFirst(a: string, b: string): number {
  const [[timeA = 0, jobA = 0], [timeB = 0, jobB = 0]] = [a.split("-").map(Number), b.split("-").map(Number)];
  return timeB - timeA || jobB - jobA;
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "ENOENT";
}
