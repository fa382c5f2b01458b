import { drawIcon } from "../../components/icon.tsx";

const shapes = {
  document: "M6 3.5h8.5L19 8v12.5H6zM14 3.5V8.5h5M9 12.5h6.5M9 16h6.5",
  external: "M13.5 4.5h6v6M19 5l-8 8M10 6H5v13.5h13.5V14",
};

/** Separate from Icon, which every page loads; these are only on pages of orders. */
export function DocumentIcon({ name }: { name: keyof typeof shapes }) {
  return drawIcon(shapes[name]);
}
