import { lazy, Suspense, useEffect, useState } from "react";
import { whenFirstToast } from "./toast.ts";

const ToastRegion = lazy(() => import("./toast-region.tsx"));

/** Stands once in the root. The widgets behind a toast are no part of the first download. */
export function ToastHost() {
  const [needed, setNeeded] = useState(false);
  useEffect(() => whenFirstToast(() => setNeeded(true)), []);
  if (!needed) return null;
  return (
    <Suspense>
      <ToastRegion />
    </Suspense>
  );
}
