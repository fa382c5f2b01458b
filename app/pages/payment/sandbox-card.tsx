import { type Ref, useImperativeHandle, useRef, useState } from "react";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { CardCells } from "./card-cells.tsx";
import type { CardCharger, CardPart } from "./card-charger.ts";
import { type CardDetails, cardProblem, digitsOf } from "./card-details.ts";
import { chargeAtSandbox } from "./sandbox.ts";

interface SandboxCardProps {
  ref: Ref<CardCharger>;
  publishableKey: string;
  total: string;
  /** the id of the message under the form, if there is one */
  errorId: string | undefined;
  /** the cell that the message is about; null for the card as a whole */
  invalid: CardPart | "card" | null;
  busy: boolean;
  onEdit: () => void;
}

/** The card's three cells, charged at the sandbox, with a 3-D Secure dialog of our own. */
export function SandboxCard({ ref, publishableKey, total, onEdit, ...cells }: SandboxCardProps) {
  const [card, setCard] = useState<CardDetails>({ number: "", expiry: "", cvc: "" });
  const [problemPart, setProblemPart] = useState<CardPart | null>(null);
  const [respondToChallenge, setRespondToChallenge] = useState<((complete: boolean) => void) | null>(null);
  const box = useRef<HTMLDivElement>(null);

  /** Resolves with the user's response to the challenge. */
  const challenge = () =>
    new Promise<boolean>((resolve) => {
      setRespondToChallenge(() => (complete: boolean) => {
        setRespondToChallenge(null);
        resolve(complete);
      });
    });

  useImperativeHandle(ref, () => ({
    check() {
      const problem = cardProblem(card, new Date());
      setProblemPart(problem?.part ?? null);
      if (problem) box.current?.querySelector<HTMLInputElement>(`[name="${problem.part}"]`)?.focus();
      return problem?.message ?? null;
    },
    charge: (clientSecret, billing) =>
      chargeAtSandbox(publishableKey, clientSecret, card, billing, challenge),
  }));

  return (
    <>
      <CardCells
        {...cells}
        box={box}
        card={card}
        invalid={problemPart ?? cells.invalid}
        onChange={(next) => {
          setCard(next);
          setProblemPart(null);
          onEdit();
        }}
      />
      <ConfirmDialog
        open={respondToChallenge !== null}
        onClose={() => respondToChallenge?.(false)}
        title="Your bank requires you to confirm this payment"
        keep="Refuse"
        confirm="Complete"
        look="primary"
        onConfirm={() => respondToChallenge?.(true)}
      >
        {total} to Stator, with the card ending in {digitsOf(card.number).slice(-4)}.
      </ConfirmDialog>
    </>
  );
}
