import { Navigate } from "react-router";

/** /dashboard itself opens the page that everyone has. */
export default function DashboardStart() {
  return <Navigate to="profile" replace />;
}
