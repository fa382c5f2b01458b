import { Fragment, useEffect, useRef } from "react";
import { labels } from "../../../../shop/texts/specification.ts";
import { ButtonLink } from "../../../components/button.tsx";
import drawing from "./hero.svg?raw";
import { hero } from "./home-texts.ts";

/** The animation of the exploded drawing runs once per visit. */
export function Hero() {
  useEffect(() => {
    sessionStorage.setItem("stator.visited", "1");
    return () => {
      delete document.documentElement.dataset.firstVisit;
    };
  }, []);
  return (
    <section className="hero" aria-labelledby="welcome">
      <div className="sheet hero__top">
        <h1 className="t-display" id="welcome">
          {hero.heading.map((line, position) => (
            <Fragment key={line}>
              {position > 0 && <br />}
              {line}
            </Fragment>
          ))}
        </h1>
        <div className="hero__side">
          <p>{hero.text}</p>
          <div className="hero__cta">
            <ButtonLink look="primary" size="lg" to="/tools">
              {labels.home.getStarted}
            </ButtonLink>
          </div>
        </div>
      </div>
      <div className="plate hero__plate">
        <div className="sheet">
          <div className="hero__fig">
            <div className="hero__crop">
              <HeroDrawing label={hero.drawing.description} />
            </div>
            <div className="bom">
              <p className="bom__cap">
                {hero.drawing.title} <span>{hero.drawing.note}</span>
              </p>
              <ol>
                {hero.drawing.parts.map((part, position) => (
                  <li key={part}>
                    <b>{position + 1}</b>
                    {part}
                  </li>
                ))}
              </ol>
            </div>
          </div>
        </div>
      </div>
    </section>
  );
}

// The drawing is in the HTML and not in the scripts: the `?raw` import is removed from the browser's build.
const markup = import.meta.env.SSR ? drawing : "";

/** The exploded drill, inline so that its parts can be animated. The script loads it only after a client navigation. */
function HeroDrawing({ label }: { label: string }) {
  const svg = useRef<SVGSVGElement>(null);
  useEffect(() => {
    if (svg.current?.childElementCount) return;
    let cancelled = false;
    void import("./hero-svg.ts").then(
      (art) => {
        if (!cancelled && svg.current) svg.current.innerHTML = art.heroDrawing;
      },
      () => undefined, // the plate stays empty; the text has the same content
    );
    return () => {
      cancelled = true;
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
