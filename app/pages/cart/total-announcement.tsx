import { useEffect, useState } from "react";
import { linesOf } from "./cart-summary.tsx";

/** The total for screen readers, at most once a second. */
export function TotalAnnouncement({
  problems,
  totalCents,
  lines,
}: {
  problems: number;
  totalCents: number;
  lines: number;
}) {
  const [text, setText] = useState("");
  useEffect(() => {
    if (lines === 0) return;
    const total = `Total ${(totalCents / 100).toLocaleString("en-US", { style: "currency", currency: "USD" })}`;
    const change = problems > 0 ? `, ${linesOf(problems)} to change` : "";
    const timer = setTimeout(() => setText(`${total}${change}.`), 1000);
    return () => clearTimeout(timer);
  }, [problems, totalCents, lines]);
  return (
    <p className="vh" role="status">
      {text}
    </p>
  );
}
