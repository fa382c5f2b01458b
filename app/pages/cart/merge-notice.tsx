import { focusHeading } from "../../components/focus-heading.ts";
import { count } from "../../components/format.ts";
import { Notice } from "../../components/notice.tsx";
import { dismissRaised, useCart } from "../../data/cart.ts";
import type { CheckedRow } from "./use-checked-rows.ts";

function dismiss() {
  dismissRaised();
  focusHeading();
}

/** Shown after signing in merged the cart of this device into the account's. */
export function MergeNotice({ checked }: { checked: readonly CheckedRow[] }) {
  const { raised } = useCart();
  if (raised.length === 0) return null;
  const names = new Map(checked.map(({ row, line }) => [row.productId, line?.name]));
  const changes = raised
    .slice(0, 3)
    .map(
      ({ productId, from, to }) => `${names.get(productId) ?? "a tool"} from ${count(from)} to ${count(to)}`,
    );
  const more = raised.length > 3 ? ` and ${count(raised.length - 3)} more` : "";
  return (
    <Notice>
      {`Your two carts are one now. The larger quantity was taken: ${changes.join(", ")}${more}.`}{" "}
      <button type="button" className="link" onClick={dismiss}>
        Dismiss
      </button>
    </Notice>
  );
}
