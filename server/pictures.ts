import { join } from "node:path";
import type { Queryable } from "../database/client.ts";
import { importPictureFolder, openDatabaseStorage } from "../providers/pictures/database.ts";
import { openFolderStorage } from "../providers/pictures/folder.ts";
import { openS3Storage } from "../providers/pictures/s3.ts";
import { type PictureStorage, StorageUnavailable } from "../shop/pictures/ports.ts";
import type { Config } from "./config.ts";

export async function openPictureStorage(
  config: Config,
  db: Queryable,
  report: (error: Error) => void,
): Promise<PictureStorage> {
  const bucket = openBucket(config, report);
  if (bucket) return bucket;
  if (!config.DATABASE_URL) return inFolder(config, report);
  await importPictureFolder(db, join(config.DATA_DIR, "pictures"));
  return openDatabaseStorage(db);
}

/** Reads a picture that does not exist: of an unreachable bucket, or one that rejects the store. Never throws. */
export async function printPictureProblems(config: Config, print: (line: string) => void): Promise<void> {
  try {
    await openBucket(config, () => undefined)?.read("none.jpg");
  } catch (error) {
    print(`Pictures: PICTURES_S3_URL does not work: ${reasonOf(error as Error)}`);
  }
}

function reasonOf({ cause, message }: Error): string {
  return cause instanceof Error ? reasonOf(cause) : message;
}

function openBucket(config: Config, report: (error: Error) => void): PictureStorage | undefined {
  const { PICTURES_S3_URL: url, PICTURES_S3_ACCESS_KEY_ID: accessKeyId } = config;
  const { PICTURES_S3_SECRET_ACCESS_KEY: secretAccessKey, PICTURES_S3_REGION: region } = config;
  if (!url || !accessKeyId || !secretAccessKey) return;
  return openS3Storage({ url, accessKeyId, secretAccessKey, region, report });
}

/** Saves pictures to the backup too; if that fails, the next base backup copies them. */
function inFolder({ DATA_DIR, BACKUP_DIR }: Config, report: (error: Error) => void): PictureStorage {
  const storage = openFolderStorage(join(DATA_DIR, "pictures"));
  const backup = BACKUP_DIR && openFolderStorage(join(BACKUP_DIR, "files", "pictures"));
  return {
    ...storage,
    async save(name, bytes) {
      await storage.save(name, bytes).catch((cause: Error) => {
        report(cause);
        throw new StorageUnavailable("The picture cannot be saved.", { cause });
      });
      if (backup) await backup.save(name, bytes).catch(report);
    },
  };
}
