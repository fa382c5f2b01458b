/** Widths of the files, if smaller than the original's, which is added. */
const WIDTHS = [160, 480, 960];

/** Width or height of the largest file, in pixels. */
export const MAX_SIDE = 1600;

export const MAX_PICTURE_BYTES = 20 * 1024 * 1024;

export const MAX_PICTURES = 12;

export const PICTURE_PATH = "/pictures/";

export interface PictureSize {
  hash: string;
  width: number;
  height: number;
  /** RRGGBB; null if the picture is partly transparent */
  colour: string | null;
}

export const widthsOf = (width: number): number[] => [...WIDTHS.filter((one) => one < width), width];

/** Of the AVIF or WebP file in one of the widths. */
export const nameOf = (hash: string, width: number, format: "avif" | "webp"): string =>
  `${hash}-${width}.${format}`;

/** Of the JPEG file; includes what a page needs before the picture has loaded: size and colour. */
export function jpegNameOf({ hash, width, height, colour }: PictureSize): string {
  return `${hash}-${width}x${height}${colour ? `-${colour}` : ""}.jpg`;
}

export const urlOf = (picture: PictureSize): string => `${PICTURE_PATH}${jpegNameOf(picture)}`;

/** Null if it is not the URL of an uploaded picture. */
export function readPictureUrl(url: string): PictureSize | null {
  const [, hash, width, height, colour = null] =
    /^\/pictures\/(\w+)-(\d+)x(\d+)-?(\w+)?\.jpg$/.exec(url) ?? [];
  return hash ? { hash, width: Number(width), height: Number(height), colour } : null;
}

export function fileNamesOf(picture: PictureSize): string[] {
  const names = widthsOf(picture.width).flatMap((width) => [
    nameOf(picture.hash, width, "avif"),
    nameOf(picture.hash, width, "webp"),
  ]);
  return [...names, jpegNameOf(picture)];
}
