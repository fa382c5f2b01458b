import { count } from "./format.ts";
import { Picture } from "./picture.tsx";

/** The pictures of the first of `total` lines, and the number of the others; decorative. */
export function PictureQuad({ pictures, total }: { pictures: string[]; total: number }) {
  return (
    <span className="quad" aria-hidden="true">
      {pictures.slice(0, total > 4 ? 3 : 4).map((picture, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two lines may have the same picture
        <span key={index}>
          <Picture src={picture} alt="" />
        </span>
      ))}
      {total > 4 && <span className="quad__more">+{count(total - 3)}</span>}
    </span>
  );
}
