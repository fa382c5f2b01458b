import { data } from "react-router";
import { pageTitle } from "../page-title.ts";
import { Missing } from "../ui/missing.tsx";

export const meta = () => pageTitle("Page not found");

export function loader() {
  return data(null, { status: 404 });
}

export default Missing;
