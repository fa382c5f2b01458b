import { Fragment, useEffect, useRef, useState } from "react";
import { useRouteLoaderData } from "react-router";
import { labels } from "../../../shop/messages.ts";
import { location } from "../../content/home.ts";
import type { loader as rootLoader } from "../../root.tsx";

/** A map with marker and popup, drawn from a tile service, and the address beside it as text. */
export function OurLocation() {
  return (
    <section className="sec sec--follows sheet" aria-labelledby="location">
      <div className="sec__head">
        <h2 className="t-h1" id="location">
          {labels.home.ourLocation}
        </h2>
      </div>
      <div className="loc">
        <Map />
        <dl className="tb">
          {location.facts.map((fact) => (
            <div key={fact.label}>
              <dt>{fact.label}</dt>
              <dd>
                {fact.href ? (
                  <a className="link" href={fact.href}>
                    {fact.lines[0]}
                  </a>
                ) : (
                  fact.lines.map((line, position) => (
                    <Fragment key={line}>
                      {position > 0 && <br />}
                      {line}
                    </Fragment>
                  ))
                )}
              </dd>
            </div>
          ))}
        </dl>
      </div>
    </section>
  );
}

/** Loads the map when it is nearly in view. Until its first tile came, and when none comes, the address stands there. */
function Map() {
  const tiles = useRouteLoaderData<typeof rootLoader>("root")?.config.mapTiles;
  const box = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<"waiting" | "drawn" | "failed">("waiting");

  useEffect(() => {
    const element = box.current;
    if (!element || !tiles) return;
    let remove: (() => void) | undefined;
    let gone = false;
    const watch = new IntersectionObserver(
      async ([entry]) => {
        if (!entry?.isIntersecting) return;
        watch.disconnect();
        try {
          const { drawMap } = await import("./leaflet-map.ts");
          if (!gone) remove = drawMap(element, tiles, setState);
        } catch {
          setState("failed"); // the address stays, with its link
        }
      },
      { rootMargin: "400px" },
    );
    watch.observe(element);
    return () => {
      gone = true;
      watch.disconnect();
      remove?.();
    };
  }, [tiles]);

  const { latitude, longitude, zoom } = location;
  return (
    <div className="mapbox" data-state={state}>
      <div className="mapbox__map" ref={box} />
      {state !== "drawn" && (
        <p className="mapbox__text">
          <span>
            <b>{location.name}</b> <span>{location.address}</span>
          </span>
          <a
            className="link"
            href={`https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=${zoom}/${latitude}/${longitude}`}
            rel="noreferrer"
            target="_blank"
          >
            Open in OpenStreetMap
          </a>
        </p>
      )}
    </div>
  );
}
