import { data } from "react-router";
import { NOT_FOUND_TITLE, NotFoundMessage } from "../../components/not-found-message.tsx";
import { pageTitle } from "../../components/page-title.ts";

export const meta = () => pageTitle(NOT_FOUND_TITLE);

export function loader() {
  return data(null, { status: 404 });
}

export default NotFoundMessage;
