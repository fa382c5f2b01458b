/** Derived from `SECRET`, or one that the nodes share in the database, or a file with embedded PostgreSQL. */
import { createHmac, randomBytes } from "node:crypto";
import { open, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import type { Queryable } from "../database/client.ts";
import { makeFolder } from "../database/embedded/folder.ts";
import { shareSecret } from "../database/shared-secret.ts";
import { type Config, InvalidEnvironment } from "./config.ts";

export type Secrets = (purpose: string) => string;

type SecretConfig = Pick<Config, "DATA_DIR" | "DATABASE_URL" | "SECRET">;

/** Throws `InvalidEnvironment` if it differs from that of the other nodes. Call it after the migrations. */
export async function openSecrets(config: SecretConfig, db: Queryable): Promise<Secrets> {
  const master = await findMaster(config, db);
  return (purpose) => derive(master, purpose);
}

function derive(master: string, purpose: string): string {
  return createHmac("sha256", master).update(purpose).digest("base64url");
}

async function findMaster({ DATA_DIR, DATABASE_URL, SECRET }: SecretConfig, db: Queryable): Promise<string> {
  makeFolder(DATA_DIR, 0o700);
  const file = join(DATA_DIR, "secret");
  const stored = await readIfPresent(file);
  if (SECRET && stored && stored !== SECRET) {
    throw new InvalidEnvironment(
      `SECRET: ${file} has another one. Set SECRET to it, or remove the file to give up what it has encrypted.`,
    );
  }
  if (!DATABASE_URL) return SECRET ?? stored ?? (await createSecret(file));
  const master = SECRET ?? stored ?? createMaster();
  const shared = await shareSecret(db, { digest: derive(master, "digest"), master: SECRET ? null : master });
  if (shared.digest === derive(master, "digest")) return master;
  if (SECRET) throw new InvalidEnvironment("SECRET: the other nodes of this database have another one.");
  if (!shared.master)
    throw new InvalidEnvironment("SECRET is missing: the other nodes of this database have one.");
  if (stored) {
    throw new InvalidEnvironment(
      `DATA_DIR: ${file} is not the secret of this database. Remove the file to use that.`,
    );
  }
  return shared.master;
}

function createMaster(): string {
  return randomBytes(32).toString("base64url");
}

async function readIfPresent(file: string): Promise<string | null> {
  try {
    return (await readFile(file, "utf8")).trim() || null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

// Written to a temporary name and renamed, so that a killed start leaves no half-written secret.
async function createSecret(file: string): Promise<string> {
  const master = createMaster();
  const temporary = `${file}.${process.pid}`;
  const handle = await open(temporary, "w", 0o600);
  await handle.writeFile(master);
  await handle.sync();
  await handle.close();
  await rename(temporary, file);
  return master;
}
