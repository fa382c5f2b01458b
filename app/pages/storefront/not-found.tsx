import { data } from "react-router";
import { MISSING_TITLE, Missing } from "../../components/not-found-message.tsx";
import { pageTitle } from "../../components/page-title.ts";

export const meta = () => pageTitle(MISSING_TITLE);

export function loader() {
  return data(null, { status: 404 });
}

export default Missing;
