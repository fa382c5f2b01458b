import { redirect } from "react-router";

/** /dashboard redirects to the page that everyone has. */
export function loader() {
  return redirect("/dashboard/profile");
}

export default function DashboardStart() {
  return null;
}
