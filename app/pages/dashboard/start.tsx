import { redirect } from "react-router";

/** Redirects /dashboard to the page that every role has. */
export function loader() {
  return redirect("/dashboard/profile");
}

export default function DashboardStart() {
  return null;
}
