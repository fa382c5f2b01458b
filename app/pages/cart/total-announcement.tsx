import { useEffect, useState } from "react";
import { counted, dollars } from "../../components/format.ts";
import type { CartTotals } from "./cart-totals.ts";

/** The total for screen readers, at most once a second. */
export function TotalAnnouncement({ totals }: { totals: CartTotals }) {
  const { problems, totalCents, lines } = totals;
  const [text, setText] = useState("");
  useEffect(() => {
    if (lines === 0) return;
    const change = problems > 0 ? `, ${counted(problems, "line")} to change` : "";
    const timer = setTimeout(() => setText(`Total ${dollars(totalCents / 100)}${change}.`), 1000);
    return () => clearTimeout(timer);
  }, [problems, totalCents, lines]);
  return (
    <p className="vh" role="status">
      {text}
    </p>
  );
}
