import { useEffect, useRef, useState } from "react";
import { nameOf, PICTURE_PATH, readPictureUrl, widthsOf } from "../../shop/pictures/urls.ts";
import { classNames } from "./class-names.ts";
import { Mark } from "./logo.tsx";

interface PictureProps {
  src: string;
  /** "" if the name is next to it */
  alt: string;
  width?: number;
  height?: number;
  className?: string;
  /** above the fold: high fetch priority */
  eager?: boolean;
}

/** Contained, never cropped, 640 × 480 by default; a broken picture is replaced by the mark. */
export function Picture({ src, alt, width = 640, height = 480, className, eager }: PictureProps) {
  const [failed, setFailed] = useState<string | null>(null);
  const image = useRef<HTMLImageElement>(null);
  useEffect(() => {
    // It may have failed before hydration.
    if (image.current?.complete && image.current.naturalWidth === 0) setFailed(src);
  }, [src]);

  if (failed === src)
    return <PictureFallback alt={alt} width={width} height={height} className={className} />;
  const img = (
    <img
      ref={image}
      className={classNames("picture", className)}
      src={src}
      alt={alt}
      width={width}
      height={height}
      loading={eager ? undefined : "lazy"}
      fetchPriority={eager ? "high" : undefined}
      decoding="async"
      onError={() => setFailed(src)}
    />
  );
  const uploaded = readPictureUrl(src);
  if (!uploaded) return img;
  const { hash, width: widest, height: highest, colour } = uploaded;
  const picture = (
    <picture>
      {(["avif", "webp"] as const).map((format) => (
        <source
          key={format}
          type={`image/${format}`}
          srcSet={`${widthsOf(widest).map((one) => `${PICTURE_PATH}${nameOf(hash, one, format)} ${one}w`)}`}
          // a thumbnail has its name next to it
          sizes={alt ? `${eager ? "" : "auto,"}(min-width:48em)40em,100vw` : "5em"}
        />
      ))}
      {img}
    </picture>
  );
  if (!alt || !colour) return picture;
  return (
    <span className="photo">
      <svg viewBox={`0 0 ${widest} ${highest}`} aria-hidden="true">
        <path fill={`#${colour}`} d={`M0 0h${widest}v${highest}H0`} />
      </svg>
      {picture}
    </span>
  );
}

type FallbackProps = Required<Pick<PictureProps, "alt" | "width" | "height">> & {
  className: string | undefined;
};

function PictureFallback({ alt, width, height, className }: FallbackProps) {
  const named = alt ? ({ role: "img", "aria-label": alt } as const) : ({ "aria-hidden": true } as const);
  return (
    <span className={classNames("picture picture-mark", className)} {...named}>
      {/* keeps the picture's shape */}
      <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height} aria-hidden="true" />
      <Mark />
    </span>
  );
}

/** The neutral background of drawings; optionally with corner ticks. */
export function Plate({ ticks, className, ...picture }: PictureProps & { ticks?: boolean }) {
  return (
    <div className={classNames("plate", ticks && "plate--ticks", className)}>
      <Picture {...picture} />
    </div>
  );
}
