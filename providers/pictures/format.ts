/** Detects the format by the first bytes, since a name proves nothing. */
import type { PictureProblem } from "../../shop/pictures/ports.ts";

const HEADER_BYTES = 1024;

export function problemOfFormat(bytes: Buffer): PictureProblem | null {
  if (bytes.length === 0) return "empty";
  const head = bytes.subarray(0, HEADER_BYTES).toString("latin1");
  const isReadable =
    head.startsWith("\xff\xd8\xff") ||
    head.startsWith("\x89PNG\r\n\x1a\n") ||
    /^GIF8[79]a/.test(head) ||
    /^RIFF[\s\S]{4}WEBP/.test(head);
  if (isReadable) return null;
  const brands = /^[\s\S]{4}ftyp([\s\S]{4,60})/.exec(head)?.[1];
  if (brands) return /avi[fs]/.test(brands) ? null : "heic";
  if (/^(II\*\0|MM\0\*|II\+\0|MM\0\+)/.test(head)) return "tiff";
  if (head.includes("%PDF-")) return "pdf";
  if (/<svg[\s>]/i.test(head) || /^(\xef\xbb\xbf)?\s*<\?xml/.test(head)) return "svg";
  return "notAPicture";
}
