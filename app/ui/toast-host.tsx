import { lazy, Suspense, useEffect, useState } from "react";
import { PlainToasts } from "./plain-toasts.tsx";
import { whenFirstToast } from "./toast.ts";

// When the network is gone the widgets cannot be fetched, yet that is just what a toast may have to say.
const ToastRegion = lazy(() => import("./toast-region.tsx").catch(() => ({ default: PlainToasts })));

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
