import { type FormEvent, useRef, useState } from "react";
import { Button } from "../../components/button.tsx";
import { EmailText } from "../../components/email-text.tsx";
import { Fact } from "../../components/fact.tsx";
import { FieldError } from "../../components/field.tsx";
import { dollars } from "../../components/format.ts";
import { Icon } from "../../components/icon.tsx";
import { Notice } from "../../components/notice.tsx";
import type { PageConfig } from "../../data/loader-context.ts";
import { useSingleFlight } from "../../data/use-single-flight.ts";
import type { CardCharger, CardPart } from "./card-charger.ts";
import { type PayResult, pay } from "./pay-order.ts";
import type { Payable } from "./payable.ts";
import { SandboxCard } from "./sandbox-card.tsx";
import { StripeCard } from "./stripe-card.tsx";

interface CardFormProps {
  due: Payable;
  config: PageConfig["card"];
  /** called when the form ends: paid, gone, signed out, or charged but not recorded; and if another amount is due */
  onResult: (result: PayResult) => void;
}

interface CardError {
  message: string;
  /** whether the card is the problem, and which of its cells */
  card: CardPart | "card" | null;
}

const ERROR_ID = "card-error";

/** The card and the button that charges it; a refusal of the provider is shown under the form. */
export function CardForm({ due, config, onResult }: CardFormProps) {
  const [error, setError] = useState<CardError | null>(null);
  const [busy, setBusy] = useState(false);
  const once = useSingleFlight();
  const charger = useRef<CardCharger>(null);
  const total = dollars(due.total);
  const isTest = config.mode === "sandbox" || config.publishableKey.startsWith("pk_test_");
  const field = {
    ref: charger,
    publishableKey: config.publishableKey,
    onEdit: () => setError(null),
  };

  function submit(event: FormEvent) {
    event.preventDefault();
    void once(send);
  }

  /** What ends the form goes to `onResult`; the rest is shown here. */
  async function send() {
    const { current: card } = charger;
    if (!card) return;
    const problem = await card.check();
    if (problem) return setError({ message: problem, card: null });
    setBusy(true);
    setError(null);
    const outcome = await pay(due, card);
    setBusy(false);
    const { result } = outcome;
    if (result === "card") return setError({ message: outcome.message, card: outcome.part ?? "card" });
    if (result === "failed" || result === "changed") setError({ message: outcome.message, card: null });
    if (result !== "failed") onResult(outcome);
  }

  return (
    <form className="panel po" method="post" noValidate onSubmit={submit} aria-labelledby="card-heading">
      <div className="panel__hd">
        <h2 className="t-h3" id="card-heading">
          Card
        </h2>
        {isTest && (
          <span className="t-label with-icon">
            <Icon name="info" />
            Test mode
          </span>
        )}
      </div>
      <div className="panel__bd">
        {config.mode === "stripe" ? (
          <StripeCard {...field} cents={Math.round(due.total * 100)} invalid={error?.card != null} />
        ) : (
          <SandboxCard
            {...field}
            total={total}
            busy={busy}
            errorId={error ? ERROR_ID : undefined}
            invalid={error?.card ?? null}
          />
        )}
        <dl className="sum">
          <Fact label="Billing name" value={due.name} />
          <Fact label="Billing email" value={<EmailText>{due.email}</EmailText>} />
        </dl>
        <Button type="submit" look="primary" size="lg" block busy={busy}>
          Pay {total}
        </Button>
        {error && <FieldError id={ERROR_ID}>{error.message}</FieldError>}
        {config.mode === "sandbox" && (
          <Notice>
            No money moves in test mode. Use the card number{" "}
            <span className="num nowrap">4242 4242 4242 4242</span> with any future date and any three digits.
          </Notice>
        )}
      </div>
    </form>
  );
}
