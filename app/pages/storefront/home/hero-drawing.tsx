import { useEffect, useRef } from "react";
import drawing from "./hero.svg?raw";

// The drawing is in the HTML and not in the scripts; `raw` is removed from the browser's build.
const markup = import.meta.env.SSR ? drawing : "";

/** The exploded drill, inline so that its parts can move. Only loaded after a client navigation. */
export function HeroDrawing({ label }: { label: string }) {
  const svg = useRef<SVGSVGElement>(null);
  useEffect(() => {
    if (svg.current?.childElementCount) return;
    let gone = false;
    void import("./hero-svg.ts").then(
      (art) => {
        if (!gone && svg.current) svg.current.innerHTML = art.heroDrawing;
      },
      () => undefined, // the plate stays empty; the text has the same content
    );
    return () => {
      gone = true;
    };
  }, []);
  return (
    <svg
      ref={svg}
      className="hero__svg"
      viewBox="0 40 1140 676"
      width="1140"
      height="676"
      role="img"
      aria-label={label}
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of the build
      dangerouslySetInnerHTML={{ __html: markup }}
    />
  );
}
