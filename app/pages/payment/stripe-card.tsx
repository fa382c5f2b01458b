import type { Stripe, StripeElements, StripePaymentElement } from "@stripe/stripe-js";
import {
  type Ref,
  useCallback,
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useRef,
  useState,
} from "react";
import { theme } from "../../components/remembered-choice.ts";
import { RotorMark } from "../../components/spinner.tsx";
import { ErrorState } from "../../components/states.tsx";
import type { CardCharger } from "./card-charger.ts";
import { unreachable } from "./card-charger.ts";
import { stripeAppearance } from "./stripe-appearance.ts";
import { chargeWithStripe } from "./stripe-charge.ts";
import { loadStripe } from "./stripe-js.ts";

interface StripeCardProps {
  ref: Ref<CardCharger>;
  publishableKey: string;
  /** the total: a wallet shows it before the payment is opened */
  cents: number;
  invalid: boolean;
  onEdit: () => void;
}

interface Mounted {
  stripe: Stripe;
  elements: StripeElements;
}

/** Stripe's own field for a card, Apple Pay or Google Pay: the card's number never reaches this page. */
export function StripeCard({ ref, publishableKey, cents, invalid, onEdit }: StripeCardProps) {
  const place = useRef<HTMLDivElement>(null);
  const { mounted, ready, failed, load } = useField(publishableKey, cents, place, onEdit);

  useImperativeHandle(ref, () => ({
    async check() {
      if (!mounted || !ready) return "The card field is not loaded yet.";
      // a wallet must open its sheet during the click
      const { error } = await mounted.elements.submit();
      return error ? (error.message ?? "Your card details are incomplete.") : null;
    },
    charge: async (clientSecret, billing) =>
      mounted ? chargeWithStripe(mounted.stripe, mounted.elements, clientSecret, billing) : unreachable,
  }));

  if (failed) {
    return (
      <ErrorState onRetry={load}>The card field could not be loaded from the payment provider.</ErrorState>
    );
  }
  return (
    <div className="field">
      <span className="lbl" id="card-field">
        Card details
      </span>
      {/* biome-ignore lint/a11y/useSemanticElements: labelled by a text outside of it, which a legend cannot be */}
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

function useField(
  publishableKey: string,
  cents: number,
  place: React.RefObject<HTMLDivElement | null>,
  onEdit: () => void,
) {
  const [mounted, setMounted] = useState<Mounted | null>(null);
  const [ready, setReady] = useState(false);
  const [failed, setFailed] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const edit = useEffectEvent(onEdit);
  const currentTheme = theme.useValue();

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt loads again
  useEffect(() => {
    let field: StripePaymentElement | null = null;
    let left = false;
    loadStripe(publishableKey)
      .then((stripe) => {
        if (left || !place.current) return;
        const elements = stripe.elements({
          mode: "payment",
          amount: cents,
          currency: "usd",
          allowedPaymentMethodTypes: ["card"],
          appearance: stripeAppearance(place.current),
        });
        // name and email are the account's
        const known = { name: "never", email: "never" } as const;
        field = elements.create("payment", { fields: { billingDetails: known }, layout: "tabs" });
        field.on("ready", () => setReady(true));
        field.on("change", () => edit());
        field.on("loaderror", () => setFailed(true));
        field.mount(place.current);
        setMounted({ stripe, elements });
      })
      .catch(() => setFailed(true));
    return () => {
      left = true;
      field?.destroy();
      setMounted(null);
      setReady(false);
    };
  }, [publishableKey, cents, place, attempt]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the appearance is read from the styles of the theme
  useEffect(() => {
    if (place.current) mounted?.elements.update({ appearance: stripeAppearance(place.current) });
  }, [mounted, place, currentTheme]);

  const load = useCallback(() => {
    setFailed(false);
    setAttempt((now) => now + 1);
  }, []);
  return { mounted, ready, failed, load };
}
