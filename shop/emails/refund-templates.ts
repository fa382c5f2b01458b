import { formatMoney } from "../money.ts";
import { type Email, oneLine } from "./layout.ts";
import { itemsOf, type OrderEmail, renderOrderEmail, totalOf } from "./order-content.ts";

/** Of one line, to the card that paid with `transactionId`. */
interface RefundEmail extends OrderEmail {
  refundCents: number;
  transactionId: string;
}

/** The payment arrived for a purchase that was already cancelled or paid. */
export function refundIssued(data: RefundEmail): Email {
  const amount = formatMoney(data.refundCents);
  return renderOrderEmail(data, {
    facts: [["Transaction id", data.transactionId]],
    subject: `Refund of ${amount}: ${itemsOf(data)}`,
    preview: `${amount} is on its way back to your card.`,
    heading: "Your payment is refunded",
    paragraphs: [
      `A payment of ${amount} arrived for an order that was already cancelled or already paid. We refunded the whole amount to the card it came from. Banks usually show it within 5 to 10 working days.`,
    ],
  });
}

export function refundMade(data: RefundEmail & { reason: string }): Email {
  const amount = formatMoney(data.refundCents);
  const part = amount === totalOf(data) ? "the whole amount" : `${amount} of ${totalOf(data)}`;
  return renderOrderEmail(data, {
    facts: [
      ["Transaction id", data.transactionId],
      ["Refund", amount],
      ["Reason", oneLine(data.reason, 500)],
    ],
    subject: `Refund of ${amount}: ${itemsOf(data)}`,
    preview: `${amount} is on its way back to your card.`,
    heading: "Your payment is refunded",
    paragraphs: [
      `We refunded ${part} to the card it came from. Banks usually show it within 5 to 10 working days.`,
    ],
  });
}

export function refundFailed(data: RefundEmail): Email {
  const amount = formatMoney(data.refundCents);
  return renderOrderEmail(data, {
    facts: [
      ["Transaction id", data.transactionId],
      ["Refund", amount],
    ],
    subject: `Your refund of ${amount} failed: ${itemsOf(data)}`,
    preview: `Your bank returned the refund of ${amount}. We still owe it to you.`,
    heading: "Your refund failed",
    paragraphs: [
      `Your bank returned the refund of ${amount}; the card may have expired or been replaced. We still owe you this amount. We will try again or refund it another way, and email you then.`,
    ],
  });
}

export function refundRecorded(data: RefundEmail & { how: string }): Email {
  const amount = formatMoney(data.refundCents);
  return renderOrderEmail(data, {
    facts: [
      ["Refund", amount],
      ["How", oneLine(data.how, 500)],
    ],
    subject: `Manual refund of ${amount}: ${itemsOf(data)}`,
    preview: `${amount} was refunded to you outside the card payment.`,
    heading: "Your payment is refunded",
    paragraphs: [
      `Your bank returned the card refund of ${amount}, so we refunded it another way: see above.`,
    ],
  });
}
