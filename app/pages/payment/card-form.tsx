import { type FormEvent, useRef, useState } from "react";
import { Button } from "../../components/button.tsx";
import { EmailText } from "../../components/email-text.tsx";
import { Fact } from "../../components/fact.tsx";
import { FieldError } from "../../components/field.tsx";
import { dollars } from "../../components/format.ts";
import { Icon } from "../../components/icon.tsx";
import { Notice } from "../../components/notice.tsx";
import { PanelHead } from "../../components/panel.tsx";
import type { PageConfig } from "../../data/loader-context.ts";
import { useBusy } from "../../data/use-busy.ts";
import type { CardCharger, CardPart } from "./card-charger.ts";
import { type PayResult, pay } from "./pay-order.ts";
import type { Payable } from "./payable.ts";
import { SandboxCard } from "./sandbox-card.tsx";
import { StripeCard } from "./stripe-card.tsx";

interface CardFormProps {
  payable: Payable;
  config: PageConfig["card"];
  /** called with every result except a refused card and a failure after which Pay can be pressed again */
  onResult: (result: PayResult) => void;
}

interface CardError {
  message: string;
  /** whether the card is the problem, and which of its cells */
  card: CardPart | "card" | null;
}

const ERROR_ID = "card-error";

/** The card's fields and the button that charges it; a refusal of the provider is shown below the button. */
export function CardForm({ payable, config, onResult }: CardFormProps) {
  const [error, setError] = useState<CardError | null>(null);
  const [busy, setBusy] = useState(false);
  const [, once] = useBusy();
  const charger = useRef<CardCharger>(null);
  const total = dollars(payable.total);
  const isTest = config.mode === "sandbox" || config.publishableKey.startsWith("pk_test_");
  const cardProps = {
    ref: charger,
    publishableKey: config.publishableKey,
    onEdit: () => setError(null),
  };

  function submit(event: FormEvent) {
    event.preventDefault();
    void once(payOnce);
  }

  async function payOnce() {
    const { current: card } = charger;
    if (!card) return;
    const problem = await card.check();
    if (problem) return setError({ message: problem, card: null });
    setBusy(true);
    setError(null);
    const outcome = await pay(payable, card);
    setBusy(false);
    const { result } = outcome;
    if (result === "declined") return setError({ message: outcome.message, card: outcome.part ?? "card" });
    if (result === "failed" || result === "changed") setError({ message: outcome.message, card: null });
    if (result !== "failed") onResult(outcome);
  }

  return (
    <form className="panel po" method="post" noValidate onSubmit={submit} aria-labelledby="card-heading">
      <PanelHead title="Card" id="card-heading">
        {isTest && (
          <span className="t-label with-icon">
            <Icon name="info" />
            Test mode
          </span>
        )}
      </PanelHead>
      <div className="panel__bd">
        {config.mode === "stripe" ? (
          <StripeCard {...cardProps} cents={Math.round(payable.total * 100)} invalid={error?.card != null} />
        ) : (
          <SandboxCard
            {...cardProps}
            total={total}
            busy={busy}
            errorId={error ? ERROR_ID : undefined}
            invalid={error?.card ?? null}
          />
        )}
        <dl className="sum">
          <Fact label="Billing name" value={payable.name} />
          <Fact label="Billing email" value={<EmailText>{payable.email}</EmailText>} />
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
