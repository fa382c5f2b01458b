/** Secrets of this store: made at the first start, kept in the data folder, readable by its owner only. */
import { createHmac, randomBytes } from "node:crypto";
import { mkdir, open, readFile, rename } from "node:fs/promises";
import { join } from "node:path";

/** Answers a secret for one purpose; the same purpose gives the same secret at every start. */
export type Secrets = (purpose: string) => string;

/** Reads the master secret of `dataDir`, or makes it. */
export async function openSecrets(dataDir: string): Promise<Secrets> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const file = join(dataDir, "secret");
  const master = (await readIfPresent(file)) ?? (await createSecret(file));
  return (purpose) => createHmac("sha256", master).update(purpose).digest("base64url");
}

async function readIfPresent(file: string): Promise<string | null> {
  try {
    return (await readFile(file, "utf8")).trim() || null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

// Written aside and renamed: a start that is killed leaves either no secret or a whole one.
async function createSecret(file: string): Promise<string> {
  const master = randomBytes(32).toString("base64url");
  const draft = `${file}.${process.pid}`;
  const handle = await open(draft, "w", 0o600);
  await handle.writeFile(master);
  await handle.sync();
  await handle.close();
  await rename(draft, file);
  return master;
}
