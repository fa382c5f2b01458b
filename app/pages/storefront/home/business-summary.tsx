import { useEffect, useRef } from "react";
import { labels } from "../../../../shop/texts/specification.ts";

const ANIMATION_MS = 900;

/** Four figures that count up when they come into view. */
export function BusinessSummary() {
  return (
    <section className="band on-inverse" aria-labelledby="summary">
      <div className="sheet sec">
        <div className="sec__head">
          <h2 className="t-h1" id="summary">
            {labels.home.businessSummary}
          </h2>
        </div>
        <div className="counters">
          {labels.counters.map((counter) => (
            <div className="counter" key={counter.label}>
              <CountUp figure={counter.figure} unit={counter.unit} />
              <i className="dim" aria-hidden="true">
                <i />
              </i>
              <span>{counter.label}</span>
            </div>
          ))}
        </div>
      </div>
    </section>
  );
}

/** Renders the final text; the browser counts up to it once, unless motion is reduced. */
function CountUp({ figure, unit }: { figure: number; unit: string }) {
  const output = useRef<HTMLElement>(null);
  useEffect(() => {
    const element = output.current;
    if (!element || window.matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    let frame = 0;
    const show = (value: number) => {
      element.textContent = `${value}${unit}`;
    };
    const animate = (start: number) => {
      const progress = Math.min(1, (performance.now() - start) / ANIMATION_MS);
      show(Math.round(figure * (1 - (1 - progress) ** 3)));
      if (progress < 1) frame = requestAnimationFrame(() => animate(start));
    };
    const observer = new IntersectionObserver(([entry]) => {
      if (!entry?.isIntersecting) return;
      observer.disconnect();
      animate(performance.now());
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      cancelAnimationFrame(frame);
      show(figure);
    };
  }, [figure, unit]);
  return <b ref={output}>{`${figure}${unit}`}</b>;
}
