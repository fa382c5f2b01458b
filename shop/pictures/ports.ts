/** The ports to what encodes pictures and to what keeps their files. */
import type { PictureSize } from "./addresses.ts";

/** Why a file is refused; shop/texts/picture-refusals.ts has the words. */
export type PictureProblem =
  | "empty"
  | "svg"
  | "tiff"
  | "pdf"
  | "heic"
  | "notAPicture"
  | "animated"
  | "tooManyPixels"
  | "damaged"
  /** the process that read it ended, or took too long */
  | "unreadable";

export interface PictureFile {
  format: "avif" | "webp" | "jpg";
  width: number;
  bytes: Uint8Array;
}

export interface EncodedPicture extends Omit<PictureSize, "hash"> {
  files: PictureFile[];
}

export interface PictureEncoder {
  /** Reads the file when it is its turn; a few are encoded at a time. */
  encode: (open: () => AsyncIterable<Buffer>) => Promise<EncodedPicture | { problem: PictureProblem }>;
}

/** Keeps files by name; what has a name never changes. */
export interface PictureStorage {
  /** Resolves when the file is durable. A file that is there already is replaced. */
  save: (name: string, bytes: Uint8Array) => Promise<void>;
  /** null where there is no such file */
  read: (name: string) => Promise<Uint8Array | null>;
  /** Files that are not there are ignored. */
  delete: (names: string[]) => Promise<void>;
}

/** The storage cannot be reached, or rejects the store. */
export class StorageUnavailable extends Error {
  override name = "StorageUnavailable";
}
