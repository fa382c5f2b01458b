/** The addresses and files of an uploaded picture. Pure: no imports. */

/** The widths in which a picture is stored, as far as it is wider, in addition to its own. */
const WIDTHS = [160, 480, 960];

/** Of the largest file of a picture, in pixels. */
export const LONGEST_SIDE = 1600;

/** Of a file that is sent, in bytes. */
export const LARGEST_PICTURE = 20 * 1024 * 1024;

/** Of one product. */
export const MOST_PICTURES = 12;

export const PICTURE_PATH = "/pictures/";

export interface PictureSize {
  hash: string;
  /** of the largest file */
  width: number;
  height: number;
  /** RRGGBB; null where the picture is partly transparent */
  colour: string | null;
}

/** The widths of a picture's files, ascending. */
export const widthsOf = (width: number): number[] => [...WIDTHS.filter((one) => one < width), width];

/** The name of the AVIF or WebP file in one of the widths. */
export const nameOf = (hash: string, width: number, format: "avif" | "webp"): string =>
  `${hash}-${width}.${format}`;

/** The name of the JPEG file, which carries what a page must know before it has the picture: size and colour. */
export function jpegNameOf({ hash, width, height, colour }: PictureSize): string {
  return `${hash}-${width}x${height}${colour ? `-${colour}` : ""}.jpg`;
}

/** The address of a picture, as products have it. */
export const addressOf = (picture: PictureSize): string => `${PICTURE_PATH}${jpegNameOf(picture)}`;

/** What an address says; null where it is not one of an uploaded picture. */
export function readAddress(address: string): PictureSize | null {
  const [, hash, width, height, colour = null] =
    /^\/pictures\/(\w+)-(\d+)x(\d+)-?(\w+)?\.jpg$/.exec(address) ?? [];
  return hash ? { hash, width: Number(width), height: Number(height), colour } : null;
}

/** The names of all files of a picture. */
export function fileNamesOf(picture: PictureSize): string[] {
  const names = widthsOf(picture.width).flatMap((width) => [
    nameOf(picture.hash, width, "avif"),
    nameOf(picture.hash, width, "webp"),
  ]);
  return [...names, jpegNameOf(picture)];
}
