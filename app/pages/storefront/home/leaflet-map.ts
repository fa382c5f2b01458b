import "../../../styles/leaflet.css";
import { divIcon, map as leafletMap, marker, tileLayer } from "leaflet";
import { location } from "./home-texts.ts";

const pinSvg = `<svg viewBox="0 0 40 52" width="40" height="52" aria-hidden="true"><path d="M20 51C20 51 38 32 38 19.5A18 18 0 0 0 2 19.5C2 32 20 51 20 51Z" fill="#141C24" stroke="#fff" stroke-width="2"/><g transform="translate(8 7.6) scale(.5)" fill="none" stroke="#fff"><circle cx="24" cy="24" r="19" stroke-width="6"/><path d="M40.28 33.4L33.18 29.3M24 42.8L24 34.6M7.72 33.4L14.82 29.3M7.72 14.6L14.82 18.7M24 5.2L24 13.4M40.28 14.6L33.18 18.7" stroke-width="5.8"/><circle cx="24" cy="24" r="5.6" fill="#FF5A1F" stroke="none"/></g></svg>`;

/**
 * Draws the map: zoom 13, wheel zoom off, the popup open (specification, sections 2 and 9). Calls `onState` with
 * "drawn" at the first tile, or "failed" if the first responses have none. Returns a function that removes it.
 */
export function drawMap(
  element: HTMLElement,
  tiles: string,
  onState: (state: "drawn" | "failed") => void,
): () => void {
  const center: [number, number] = [location.latitude, location.longitude];
  const map = leafletMap(element, { center, zoom: location.zoom, scrollWheelZoom: false });
  map.attributionControl.setPrefix(false);

  let drawn = false;
  const layer = tileLayer(tiles, {
    maxZoom: 19,
    attribution: '&copy; <a href="https://www.openstreetmap.org/copyright">OpenStreetMap</a> contributors',
  });
  layer.on("tileload", () => {
    if (!drawn) onState("drawn");
    drawn = true;
  });
  layer.on("tileerror", () => !drawn && onState("failed"));
  layer.addTo(map);

  const popup = document.createElement("span");
  const name = document.createElement("b");
  name.textContent = location.name;
  popup.append(name, location.address);

  const icon = divIcon({ html: pinSvg, className: "map-pin", iconSize: [40, 52], iconAnchor: [20, 51] });
  const pinMarker = marker(center, {
    icon,
    title: location.name,
    alt: `${location.name}, ${location.address}`,
  })
    .addTo(map)
    .bindPopup(popup, { offset: [0, -38], autoPan: false, closeOnClick: false })
    .openPopup();
  // measured again once the typeface is loaded
  void document.fonts.ready.then(() => pinMarker.getPopup()?.update());
  return () => map.remove();
}
