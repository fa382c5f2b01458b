/** Files of the cart page, loaded on demand: the page has a script budget. */
import { ONE_FILE } from "../../components/one-file.ts";

/** The bytes of the only file; a text says why there are none. */
export async function readDropped(
  [file, second]: [File, ...File[]],
  maxBytes: number,
): Promise<ArrayBuffer | string> {
  if (second) return ONE_FILE;
  if (file.size > maxBytes) return "This file is larger than 10 MB. Divide it and drop the parts.";
  return file.arrayBuffer().catch(() => `${file.name} could not be read. Choose it again.`);
}
