import { useEffect, useRef } from "react";
import { labels } from "../../../../shop/texts/specification.ts";

const COUNT_MS = 900;

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
    const print = (value: number) => {
      element.textContent = `${value}${unit}`;
    };
    const run = (start: number) => {
      const share = Math.min(1, (performance.now() - start) / COUNT_MS);
      print(Math.round(figure * (1 - (1 - share) ** 3)));
      if (share < 1) frame = requestAnimationFrame(() => run(start));
    };
    const watch = new IntersectionObserver(([entry]) => {
      if (!entry?.isIntersecting) return;
      watch.disconnect();
      run(performance.now());
    });
    watch.observe(element);
    return () => {
      watch.disconnect();
      cancelAnimationFrame(frame);
      print(figure);
    };
  }, [figure, unit]);
  return <b ref={output}>{`${figure}${unit}`}</b>;
}
