/** What payments and refunds are refused with. Only the server has these: the browser shows what it is sent. */
export const paymentRefusals = {
  alreadyPaid: "This order is already paid.",
  noPurchaseOfThisTotal: "You have no unpaid order with this total.",
  amountDiffers: (sent: string, due: string) => `The amount ${sent} is not the total of this order, ${due}.`,
  paymentProviderDown:
    "The card provider does not answer. The order is kept as it is. Try again in a moment.",
  paymentOutOfOrder:
    "Card payment is out of order in this store. The order is kept as it is; pay it later under My Orders.",
  transactionUnknown: "The card provider does not know this transaction.",
  transactionOfOtherPurchase: "This transaction has paid another order.",
  transactionDiffers: "This transaction does not match the order.",
  paymentUnderWay: "A card payment of this order is being processed. Try again in a moment.",
  paymentBeforeLeaving:
    "A card payment of one of your orders is being processed. Delete your account when your bank has decided.",
  refundRefused: (why: string) => `The card provider refused this refund. ${why}`,
  refundOfDisputed: "The cardholder's bank has taken the payment back until that is decided.",
  paymentOfOtherAccount:
    "The payment was made in another mode or account of the card provider than the store uses now. Refund it in the provider's dashboard.",
  refundOfNothing: "The whole payment was given back there before.",
  refundAboveRest: "More would go back than is left of the payment there.",
  refundWithoutBalance: "The store's balance there is too low. Fill it up, then refund again.",
  refundNotFound: "This refund does not exist.",
  refundNotReturned: "This refund did not come back, or is settled already.",
  refundReturned: {
    expired_or_canceled_card: "The card has expired or was cancelled.",
    lost_or_stolen_card: "The card was reported as lost or stolen.",
    insufficient_funds: "The store's balance at the card provider was too low.",
    declined: "The bank declined it.",
  } as Record<string, string>,
  refundNotTaken: "The bank did not take it.",
  providerSays: (words: string) => `It says: ${words}`,
  badSignature: "The signature of this event is not valid.",
  badEvent: "The body of this request is not an event of the card provider.",
  paidAfterCancel: "This order was cancelled before the payment arrived. The payment is being refunded.",
} as const;
