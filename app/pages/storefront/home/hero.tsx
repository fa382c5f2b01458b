import { Fragment, useEffect } from "react";
import { labels } from "../../../../shop/texts/specification.ts";
import { ButtonLink } from "../../../components/button.tsx";
import { HeroDrawing } from "./hero-drawing.tsx";
import { hero } from "./home-texts.ts";

/** The drawing explodes once per visit. */
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
