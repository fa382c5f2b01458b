import { labels } from "../../../../shop/texts/specification.ts";
import { Button } from "../../../components/button.tsx";

interface ShipButtonProps {
  /** "10 drills to Ada Buyer"; omitted on the page of an order */
  description?: string;
  look?: "primary" | "line";
  size?: "sm" | "md";
  busy: boolean;
  onClick: () => void;
}

/** The Pending button (specification, section 4); only its accessible label says that it ships. */
export function ShipButton({ description, ...rest }: ShipButtonProps) {
  const { pending } = labels.orders;
  return (
    <Button {...rest} aria-label={`${pending}, ship ${description ?? "it"}`}>
      {pending}
    </Button>
  );
}
