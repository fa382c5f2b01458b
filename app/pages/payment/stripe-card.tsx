import type {
  Appearance,
  Stripe,
  StripeElements,
  StripeError,
  StripePaymentElement,
} from "@stripe/stripe-js";
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
import { type Billing, type CardCharger, type Charge, noResponse, toCharge } from "./card-charger.ts";
import { loadStripe } from "./stripe-js.ts";

interface StripeCardProps {
  ref: Ref<CardCharger>;
  publishableKey: string;
  /** the total, which a wallet shows before the payment is created */
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
  const container = useRef<HTMLDivElement>(null);
  const { mounted, ready, failed, load } = usePaymentElement(publishableKey, cents, container, onEdit);

  useImperativeHandle(ref, () => ({
    async check() {
      if (!mounted || !ready) return "The card field is not loaded yet.";
      // a wallet must open its sheet during the click
      try {
        const { error } = await mounted.elements.submit();
        return error ? (error.message ?? "Your card details are incomplete.") : null;
      } catch {
        return noResponse.message;
      }
    },
    charge: async (clientSecret, billing) =>
      mounted
        ? chargeWithStripe(mounted.stripe, mounted.elements, clientSecret, billing).catch(() => noResponse)
        : noResponse,
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
        <div ref={container} />
      </div>
    </div>
  );
}

function usePaymentElement(
  publishableKey: string,
  cents: number,
  container: React.RefObject<HTMLDivElement | null>,
  onEdit: () => void,
) {
  const [mounted, setMounted] = useState<Mounted | null>(null);
  const [ready, setReady] = useState(false);
  const [failed, setFailed] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const edit = useEffectEvent(onEdit);
  const currentTheme = theme.useValue();

  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` changes to load again
  useEffect(() => {
    let element: StripePaymentElement | null = null;
    let cancelled = false;
    loadStripe(publishableKey)
      .then((stripe) => {
        if (cancelled || !container.current) return;
        const elements = stripe.elements({
          mode: "payment",
          amount: cents,
          currency: "usd",
          allowedPaymentMethodTypes: ["card"],
          appearance: stripeAppearance(container.current),
        });
        // name and email are the account's
        const billingDetails = { name: "never", email: "never" } as const;
        element = elements.create("payment", { fields: { billingDetails }, layout: "tabs" });
        element.on("ready", () => setReady(true));
        element.on("change", () => edit());
        element.on("loaderror", () => setFailed(true));
        element.mount(container.current);
        setMounted({ stripe, elements });
      })
      .catch(() => setFailed(true));
    return () => {
      cancelled = true;
      element?.destroy();
      setMounted(null);
      setReady(false);
    };
  }, [publishableKey, cents, container, attempt]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the appearance is read from the styles of the theme
  useEffect(() => {
    if (container.current) mounted?.elements.update({ appearance: stripeAppearance(container.current) });
  }, [mounted, container, currentTheme]);

  const load = useCallback(() => {
    setFailed(false);
    setAttempt((now) => now + 1);
  }, []);
  return { mounted, ready, failed, load };
}

/** The colours of our design tokens as the browser computes them, for Stripe's iframe, which has no access to them. */
function stripeAppearance(container: HTMLElement): Appearance {
  const colourOf = (className: string) => {
    const probe = document.createElement("span");
    probe.className = className;
    container.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  };
  const paper = getComputedStyle(container.closest(".panel") ?? document.body).backgroundColor;
  const ink = getComputedStyle(container).color;
  return {
    theme: "flat",
    variables: {
      colorPrimary: ink,
      colorText: ink,
      colorTextSecondary: colourOf("muted"),
      colorTextPlaceholder: colourOf("muted"),
      colorBackground: paper,
      colorDanger: colourOf("err"),
      fontFamily: "system-ui, sans-serif",
      fontSizeBase: "15px",
      borderRadius: "0px",
    },
  };
}

/** Charges the card or wallet in the provider's own field; the provider shows 3-D Secure itself. */
async function chargeWithStripe(
  stripe: Stripe,
  elements: StripeElements,
  clientSecret: string,
  billing: Billing,
): Promise<Charge> {
  const current = await stripe.retrievePaymentIntent(clientSecret);
  const earlierCharge = current.paymentIntent && toCharge(current.paymentIntent);
  if (earlierCharge) return earlierCharge;
  const { name, email } = billing;
  const response = await stripe.confirmPayment({
    elements,
    clientSecret,
    redirect: "if_required",
    confirmParams: {
      // for a bank that redirects; the payment page then resumes
      return_url: window.location.href,
      payment_method_data: { billing_details: { name, email } },
    },
  });
  const intent = response.paymentIntent ?? response.error?.payment_intent;
  const charged = intent && toCharge(intent);
  if (charged) return charged;
  return response.error ? chargeAfterError(stripe, clientSecret, response.error) : noResponse;
}

async function chargeAfterError(stripe: Stripe, clientSecret: string, error: StripeError): Promise<Charge> {
  const isCardProblem = error.type === "card_error" || error.type === "validation_error";
  if (isCardProblem && error.message) return { outcome: "declined", message: error.message };
  // without a response the card may have been charged
  const after = await stripe.retrievePaymentIntent(clientSecret);
  const charged = after.paymentIntent && toCharge(after.paymentIntent);
  if (charged) return charged;
  return after.error || !error.message ? noResponse : { outcome: "declined", message: error.message };
}
