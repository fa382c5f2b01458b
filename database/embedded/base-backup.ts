import { createWriteStream, type WriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import type { Duplex } from "node:stream";
import { finished } from "node:stream/promises";
import { Client, type ClientConfig, Query } from "pg";

export interface BaseBackup {
  /** the first WAL segment that its recovery needs */
  firstSegment: string;
  /** when it was complete; it can be recovered to any later time */
  endedAt: Date;
}

// The command behind pg_basebackup, which the package does not include. The backup has the WAL that it needs itself.
const BASE_BACKUP = `BASE_BACKUP (LABEL 'stator', CHECKPOINT 'fast', WAL true, WAIT false, MANIFEST 'no',
  COMPRESSION 'gzip', COMPRESSION_DETAIL 'level=3')`;

// the triggers of the catalogue lock 7128641 and 7128642, what ends an admin's role 7128643
const BACKUP_LOCK = 7_128_644;

/** Until the connection ends, which is after the file has its name: a second backup writes to the same one. */
export async function lockBackups(client: Client): Promise<void> {
  const { rows } = await client.query(`SELECT pg_try_advisory_lock(${BACKUP_LOCK}) AS taken`);
  if (!rows[0].taken) throw new Error("Another backup of this database is running.");
}

export async function takeBaseBackup(connection: ClientConfig, path: string): Promise<BaseBackup> {
  const client = new Client({ ...connection, ...{ replication: "database" } });
  client.on("error", () => undefined); // the query reports it
  await client.connect();
  try {
    const file = createWriteStream(path, { mode: 0o600, flush: true });
    file.on("error", (error) => client.connection.stream.destroy(error));
    try {
      const start = await receiveBackup(client, file);
      await finished(file.end());
      client.connection.stream.resume(); // a file that is ending emits no "drain"
      const { rows } = await client.query<BaseBackup>(
        `SELECT pg_walfile_name('${start}') AS "firstSegment", clock_timestamp() AS "endedAt"`,
      );
      return rows[0] as BaseBackup;
    } catch (error) {
      file.destroy();
      // on a full disk it would leave no space for the archived WAL
      await rm(path, { force: true }).catch(() => undefined);
      throw error;
    }
  } finally {
    await client.end();
  }
}

function receiveBackup(client: Client, file: WriteStream): Promise<string> {
  return new Promise((resolve, reject) => {
    const finish = (error: Error | undefined, results: unknown) =>
      error
        ? reject(file.errored ?? error)
        : resolve((results as { rows: { recptr: string }[] }[])[0]?.rows[0]?.recptr ?? "");
    client.query(new BackupQuery(file, finish));
  });
}

const DATA = "d".charCodeAt(0);

class BackupQuery extends Query {
  #file: WriteStream;

  constructor(file: WriteStream, finish: (error: Error | undefined, results: unknown) => void) {
    super(BASE_BACKUP, finish);
    this.#file = file;
  }

  /** Called by the driver. The first byte is the kind of the message; the driver uses its buffer again. */
  handleCopyData({ chunk }: { chunk: Buffer }, { stream }: { stream: Duplex }): void {
    if (chunk[0] !== DATA || this.#file.write(Buffer.from(chunk.subarray(1)))) return;
    stream.pause();
    this.#file.once("drain", () => stream.resume());
  }
}
