import { data } from "react-router";
import { pageTitle } from "../page-title.ts";
import { MISSING_TITLE, Missing } from "../ui/missing.tsx";

export const meta = () => pageTitle(MISSING_TITLE);

export function loader() {
  return data(null, { status: 404 });
}

export default Missing;
