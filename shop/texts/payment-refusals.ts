/** Only loaded by the server. */
export const paymentRefusals = {
  alreadyPaid: "This order is already paid.",
  noPurchaseOfThisTotal: "You have no unpaid order with this total.",
  severalPurchasesOfThisTotal:
    "Several of your unpaid orders have this total. Send purchaseId to say which one to pay.",
  amountDiffers: (sent: string, due: string) => `The amount ${sent} is not the total of this order, ${due}.`,
  paymentProviderDown:
    "The payment provider does not respond. The order is kept as it is. Try again in a moment.",
  paymentOutOfOrder:
    "Card payment is not available in this store at the moment. The order is kept as it is; pay it later under My Orders.",
  transactionUnknown: "The payment provider does not know this transaction.",
  transactionOfOtherPurchase: "This transaction paid for another order.",
  transactionNotRequested: "The store has not requested this transaction.",
  transactionDiffers:
    "The payment arrived, but it does not match this order, so the order is not paid. The store has been notified and will refund it.",
  transactionReturned:
    "The payment did not match this order and was refunded. The order can be paid again or cancelled.",
  paymentUnderWay: "A card payment for this order is being processed. Try again in a moment.",
  paymentBeforeLeaving:
    "A card payment for one of your orders is being processed. Delete your account when your bank has decided.",
  refundRefused: (reason: string) => `The payment provider refused this refund. ${reason}`,
  refundOfDisputed: "The payment is disputed. It cannot be refunded until the dispute is resolved.",
  paymentOfOtherAccount:
    "The payment was made in another mode or account of the payment provider than the store uses now. Refund it in the provider's dashboard.",
  refundOfNothing: "The whole payment was refunded there before.",
  refundAboveRest: "The amount is higher than what is left of the payment there.",
  refundWithoutBalance: "The store's balance there is too low. Top it up, then refund again.",
  refundNotFound: "This refund does not exist.",
  refundNotFailed: "This refund has not failed, or is resolved already.",
  refundFailures: {
    expired_or_canceled_card: "The card has expired or was cancelled.",
    lost_or_stolen_card: "The card was reported as lost or stolen.",
    insufficient_funds: "The store's balance at the payment provider was too low.",
    declined: "The bank declined it.",
  } as Record<string, string>,
  refundNotTaken: "The bank returned it.",
  providerMessage: (message: string) => `It says: ${message}`,
  badSignature: "The signature of this event is not valid.",
  badEvent: "The body of this request is not an event of the payment provider.",
  paidAfterCancel: "This order was cancelled before the payment arrived. The payment is being refunded.",
} as const;
