import { redirect } from "react-router";

/** /dashboard itself opens the page that everyone has. */
export function loader() {
  return redirect("/dashboard/profile");
}

export default function DashboardStart() {
  return null;
}
