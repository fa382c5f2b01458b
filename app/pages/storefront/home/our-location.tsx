import { useEffect, useRef, useState } from "react";
import { useRouteLoaderData } from "react-router";
import { labels } from "../../../../shop/texts/specification.ts";
import { Button } from "../../../components/button.tsx";
import { withLoadTimeout } from "../../../performance/load-chunk.ts";
import type { loader as rootLoader } from "../../../root.tsx";
import { PlaceFacts } from "../place-facts.tsx";
import { location } from "./home-texts.ts";

/** A map with marker and popup, and the address next to it as text. */
export function OurLocation() {
  return (
    <section className="sec sec--follows sheet" aria-labelledby="location">
      <div className="sec__head">
        <h2 className="t-h1" id="location">
          {labels.home.ourLocation}
        </h2>
      </div>
      <div className="loc">
        <LocationMap />
        <PlaceFacts />
      </div>
    </section>
  );
}

/** Loads the map when it is nearly in view. Until the first tile is loaded, and if none is, it shows the address. */
function LocationMap() {
  const tiles = useRouteLoaderData<typeof rootLoader>("root")?.config.mapTiles;
  const container = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<"waiting" | "drawn" | "failed">("waiting");
  const [attempt, setAttempt] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` changes to load again
  useEffect(() => {
    const element = container.current;
    if (!element || !tiles) return;
    let removeMap: (() => void) | undefined;
    let cancelled = false;
    const observer = new IntersectionObserver(
      async ([entry]) => {
        if (!entry?.isIntersecting) return;
        observer.disconnect();
        try {
          const { drawMap } = await withLoadTimeout(import("./leaflet-map.ts"));
          if (!cancelled) removeMap = drawMap(element, tiles, setState);
        } catch {
          setState("failed"); // the address stays, with its link
        }
      },
      { rootMargin: "400px" },
    );
    observer.observe(element);
    return () => {
      cancelled = true;
      observer.disconnect();
      removeMap?.();
    };
  }, [tiles, attempt]);

  function retry() {
    setState("waiting");
    setAttempt((before) => before + 1);
  }

  const { latitude, longitude, zoom } = location;
  return (
    <div className="mapbox" data-state={state}>
      <div className="mapbox__map" ref={container} />
      {state !== "drawn" && (
        <p className="mapbox__text">
          <span>
            <b>{location.name}</b> <span>{location.address}</span>
          </span>
          {state === "failed" && (
            <span className="mapbox__failed">
              <span role="status">The map could not be loaded.</span>
              <Button size="sm" onClick={retry}>
                Try again
              </Button>
            </span>
          )}
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
