import { type ChangeEvent, type RefObject, useLayoutEffect, useRef } from "react";
import { classNames } from "../../components/class-names.ts";
import type { CardPart } from "./card-charger.ts";
import { brandOf, type CardDetails, digitsOf, formatExpiry, groupNumber } from "./card-details.ts";

interface CardCellsProps {
  box: RefObject<HTMLDivElement | null>;
  card: CardDetails;
  onChange: (card: CardDetails) => void;
  invalid: CardPart | "card" | null;
  errorId: string | undefined;
  busy: boolean;
}

/** One bordered box: number with its brand, expiry, security code. */
export function CardCells({ box, card, onChange, invalid, errorId, busy }: CardCellsProps) {
  const brand = brandOf(card.number);
  const typeNumber = useGroupedNumber(card, onChange);
  const cell = (part: CardPart) => ({
    name: part,
    className: classNames("input num", invalid === part && "is-wrong"),
    // a disabled input would lose the focus
    readOnly: busy,
    required: true,
    inputMode: "numeric" as const,
    "aria-invalid": invalid === part || invalid === "card",
    "aria-describedby": errorId,
  });
  return (
    <fieldset className="field">
      <legend className="lbl lbl--legend">Card details</legend>
      <div className="cardbox" ref={box} data-invalid={invalid ? "" : undefined}>
        <span className="cardbox__number">
          <input
            {...cell("number")}
            autoComplete="cc-number"
            aria-label="Card number"
            placeholder="Card number"
            value={card.number}
            onChange={typeNumber}
          />
          {brand.name && <span className="cardbox__brand t-label">{brand.name}</span>}
        </span>
        <div>
          <input
            {...cell("expiry")}
            autoComplete="cc-exp"
            aria-label="Expiry date, month and year"
            placeholder="MM / YY"
            value={card.expiry}
            onChange={({ target }) => onChange({ ...card, expiry: formatExpiry(target.value, card.expiry) })}
          />
          <input
            {...cell("cvc")}
            autoComplete="cc-csc"
            aria-label={`Security code, ${brand.cvc} digits`}
            placeholder="CVC"
            value={card.cvc}
            onChange={({ target }) =>
              onChange({ ...card, cvc: digitsOf(target.value).slice(0, brand.name ? brand.cvc : 4) })
            }
          />
        </div>
      </div>
    </fieldset>
  );
}

/** Groups the digits while typing and keeps the caret after the same digit. */
function useGroupedNumber(card: CardDetails, onChange: (card: CardDetails) => void) {
  const caret = useRef<{ input: HTMLInputElement; digits: number } | null>(null);

  useLayoutEffect(() => {
    if (!caret.current) return;
    const { input, digits } = caret.current;
    caret.current = null;
    let position = 0;
    for (let digitsBefore = 0; digitsBefore < digits && position < input.value.length; position += 1) {
      if (/\d/.test(input.value.charAt(position))) digitsBefore += 1;
    }
    input.setSelectionRange(position, position);
  });

  return ({ target }: ChangeEvent<HTMLInputElement>) => {
    const beforeCaret = target.value.slice(0, target.selectionStart ?? target.value.length);
    caret.current = { input: target, digits: digitsOf(beforeCaret).length };
    onChange({ ...card, number: groupNumber(target.value) });
  };
}
