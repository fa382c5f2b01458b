import { Outlet } from "react-router";
import type { Route } from "./+types/page-boundary.ts";
import { RouteError } from "./components/route-error.tsx";

/** Replaces a failed page, while the document with its header, typeface and styles stays. */
export default function PageBoundary() {
  return <Outlet />;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <RouteError error={error} />;
}
