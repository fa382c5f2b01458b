import { type Ref, useCallback, useEffect, useImperativeHandle, useRef, useState } from "react";
import { useTheme } from "../theme.ts";
import { RotorMark } from "../ui/spinner.tsx";
import { ErrorState } from "../ui/states.tsx";
import type { CardCharger } from "./charge.ts";
import { unreachable } from "./charge.ts";
import { chargeWithStripe } from "./stripe-charge.ts";
import { type CardChange, type CardElement, loadStripe, type StripeJs } from "./stripe-js.ts";

interface StripeCardProps {
  ref: Ref<CardCharger>;
  publishableKey: string;
  invalid: boolean;
  onEdit: () => void;
}

interface Mounted {
  stripe: StripeJs;
  card: CardElement;
}

/** The provider's own card field, in our colours: the card's number never reaches this page. */
export function StripeCard({ ref, publishableKey, invalid, onEdit }: StripeCardProps) {
  const place = useRef<HTMLDivElement>(null);
  const change = useRef<CardChange>({ empty: true });
  const edit = useRef(onEdit);
  edit.current = onEdit;
  const { mounted, ready, failed, load } = useCardElement(publishableKey, place, (event) => {
    change.current = event;
    edit.current();
  });

  useImperativeHandle(ref, () => ({
    check() {
      const { complete, error } = change.current;
      if (mounted && complete && !error) return null;
      mounted?.card.focus();
      if (!mounted) return "The card field is not loaded yet.";
      return error?.message ?? "Your card details are incomplete.";
    },
    charge: async (clientSecret, billing) =>
      mounted ? chargeWithStripe(mounted.stripe, mounted.card, clientSecret, billing) : unreachable,
  }));

  if (failed) {
    return <ErrorState onRetry={load}>The card field could not be loaded from the card provider.</ErrorState>;
  }
  return (
    <div className="field">
      <span className="lbl" id="card-field">
        Card details
      </span>
      <div
        className="cardbox cardbox--provider"
        role="group"
        aria-labelledby="card-field"
        data-invalid={invalid ? "" : undefined}
      >
        {!ready && <RotorMark className="spin spin--sm" />}
        <div ref={place} />
      </div>
    </div>
  );
}

function useCardElement(
  publishableKey: string,
  place: React.RefObject<HTMLDivElement | null>,
  onChange: (event: CardChange) => void,
) {
  const [mounted, setMounted] = useState<Mounted | null>(null);
  const [ready, setReady] = useState(false);
  const [failed, setFailed] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const listener = useRef(onChange);
  listener.current = onChange;
  const theme = useTheme();

  useEffect(() => {
    let card: CardElement | null = null;
    let left = false;
    loadStripe(publishableKey)
      .then((stripe) => {
        if (left || !place.current) return;
        card = stripe.elements().create("card", { hidePostalCode: true, style: fieldStyle(place.current) });
        card.on("ready", () => setReady(true));
        card.on("change", (event) => listener.current(event));
        card.mount(place.current);
        setMounted({ stripe, card });
      })
      .catch(() => setFailed(true));
    return () => {
      left = true;
      card?.destroy();
      setMounted(null);
      setReady(false);
    };
  }, [publishableKey, place, attempt]);

  useEffect(() => {
    if (place.current) mounted?.card.update({ style: fieldStyle(place.current) });
  }, [mounted, place, theme]);

  const load = useCallback(() => {
    setFailed(false);
    setAttempt((now) => now + 1);
  }, []);
  return { mounted, ready, failed, load };
}

/** Our token colours as the browser computes them here, for a field that cannot see our style sheet. */
function fieldStyle(near: HTMLElement) {
  const colourOf = (className: string) => {
    const probe = document.createElement("span");
    probe.className = className;
    near.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  };
  const ink = getComputedStyle(near).color;
  return {
    base: {
      color: ink,
      iconColor: ink,
      fontFamily: "system-ui, sans-serif",
      fontSize: "15px",
      "::placeholder": { color: colourOf("muted") },
    },
    invalid: { color: colourOf("err"), iconColor: colourOf("err") },
  };
}
