import type { pictureRefusals } from "../texts/picture-refusals.ts";
import type { PictureSize } from "./urls.ts";

/** `unreadable`: the encoder crashed or took too long. */
export type PictureProblem = Exclude<keyof typeof pictureRefusals, `${string}Unavailable`>;

export interface PictureFile {
  format: "avif" | "webp" | "jpg";
  width: number;
  bytes: Uint8Array;
}

export interface EncodedPicture extends Omit<PictureSize, "hash"> {
  files: PictureFile[];
}

export interface PictureEncoder {
  /** Queued; a few pictures are encoded at a time. */
  encode: (open: () => AsyncIterable<Buffer>) => Promise<EncodedPicture | { problem: PictureProblem }>;
}

/** The content of a name never changes. */
export interface PictureStorage {
  /** Resolves when the file is durable. An existing file is replaced. */
  save: (name: string, bytes: Uint8Array) => Promise<void>;
  read: (name: string) => Promise<Uint8Array | null>;
  delete: (names: string[]) => Promise<void>;
}

/** The storage is unreachable, or rejects the store. */
export class StorageUnavailable extends Error {
  override name = "StorageUnavailable";
}

/** The system has no process or file handle left for it. */
export class EncoderUnavailable extends Error {
  override name = "EncoderUnavailable";
}
