/** Runs in a process of its own (encode-process.ts). */
import sharp from "sharp";
import type { EncodedPicture, PictureFile, PictureProblem } from "../../shop/pictures/ports.ts";
import { MAX_SIDE, widthsOf } from "../../shop/pictures/urls.ts";

const MAX_PIXELS = 50_000_000;
const TIMEOUT_SECONDS = 30;
const AVIF = { quality: 55, effort: 3 };
const WEBP = { quality: 78 };
const JPEG = { quality: 80, mozjpeg: true };

sharp.concurrency(1);
sharp.cache(false);
// blocks the loaders of other formats, such as SVG
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["Jpeg", "Png", "Webp", "Heif", "Nsgif"].map((format) => `VipsForeignLoad${format}Buffer`),
});

/** Upright, in sRGB, without metadata, at most 1,600 pixels wide or high, in every width and format. */
export async function encodePicture(bytes: Buffer): Promise<EncodedPicture | { problem: PictureProblem }> {
  const problem = problemOfFormat(bytes);
  if (problem) return { problem };
  try {
    const { width, height, pages = 1 } = await sharp(bytes, { limitInputPixels: false }).metadata();
    if (pages > 1) return { problem: "animated" };
    if (width * height >= MAX_PIXELS) return { problem: "tooManyPixels" };
    return await encode(bytes);
  } catch {
    return { problem: "damaged" };
  }
}

async function encode(bytes: Buffer): Promise<EncodedPicture> {
  // decoded once; this error level also refuses truncated files
  const { data, info } = await sharp(bytes, { failOn: "error", limitInputPixels: MAX_PIXELS })
    .timeout({ seconds: TIMEOUT_SECONDS })
    .autoOrient()
    .resize({ width: MAX_SIDE, height: MAX_SIDE, fit: "inside", withoutEnlargement: true })
    .toColourspace("srgb")
    .raw({ depth: "uchar" })
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const decoded = () => sharp(data, { raw: { width, height, channels } });
  const { isOpaque, dominant } = await decoded().stats();
  const picture = () => (isOpaque ? decoded().removeAlpha() : decoded());
  const files: PictureFile[] = [];
  for (const targetWidth of widthsOf(width)) {
    files.push({
      format: "avif",
      width: targetWidth,
      bytes: await picture().resize({ width: targetWidth }).avif(AVIF).toBuffer(),
    });
    files.push({
      format: "webp",
      width: targetWidth,
      bytes: await picture().resize({ width: targetWidth }).webp(WEBP).toBuffer(),
    });
  }
  const jpeg = await picture().flatten({ background: "#ffffff" }).jpeg(JPEG).toBuffer();
  files.push({ format: "jpg", width, bytes: jpeg });
  return { width, height, colour: isOpaque ? toHex(dominant) : null, files };
}

function toHex({ r, g, b }: { r: number; g: number; b: number }): string {
  return [r, g, b].map((value) => Math.round(value).toString(16).padStart(2, "0")).join("");
}

const HEADER_BYTES = 1024;

/** By the first bytes, since a name proves nothing. */
function problemOfFormat(bytes: Buffer): PictureProblem | null {
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
