/**
 * What the store answers where the specification is silent: refusals and form messages of our own, in the
 * voice of DESIGN.md section 12 (what is wrong, then what to do). Texts of the specification stand in
 * messages.ts. No imports; safe in a browser.
 */
export const refusals = {
  // Who is asking.
  notSignedIn: "Log in to continue.",
  sessionEnded: "Your session has ended. Log in again.",
  badToken: "This access token is not valid. Log in again.",
  notYours: "This belongs to another account.",
  adminsOnly: "Only admins can do this.",
  tokenForOtherEmail: "The token can only be issued for the email you are logged in with.",
  emailNotVerified: "Confirm your email address first. The link is in the mail we sent you.",
  otherOrigin: "This request came from another site and was refused.",

  // Log in, register, password reset, Google.
  wrongEmailOrPassword: "The email or the password is wrong.",
  emailInUse: "This email address is already in use by another account.",
  passwordTooLong: "The password is too long.",
  tooManyAttempts: "Too many attempts. Wait a while and try again.",
  resetLinkInvalid: "This password link is no longer valid. Ask for a new one.",
  verificationLinkInvalid: "This confirmation link is no longer valid. Ask for a new one.",
  googleNotConfigured: "Login with Google is not set up on this store.",
  googleFailed: "Login with Google did not succeed. Try again or use your email.",
  googleDown: "Google does not answer at the moment. Try again or use your email.",
  googleRefused: "Google was not allowed to log you in. Try again or use your email.",
  googleNotVerified: "Google has not confirmed the email address of that account, so it cannot be used here.",
  googleNotLinked:
    "An account with this email has a password. Log in with it first, then connect Google under Dashboard, Account.",
  googleOtherEmail: "The Google account has another email address than this account.",
  googleTaken: "This Google account belongs to another account of the store.",
  registrationFailed:
    "This account could not be made. If you have one already, log in or choose Forgot Password.",
  commonPassword: "This password is among the first that strangers try. Choose another one.",
  accountDisabled: "This account is closed. Write to the store if you think that is a mistake.",
  linkUsed: "This link was used already. If it was you, log in.",
  logInForLink: "Log in with the account that asked for the new email, then open the link again.",
  onlyAdmin: "You are the only admin of this store. Make somebody else an admin first.",
  adminCannotBeClosed: "An admin's account cannot be closed.",
  sessionNotYours: "This session is not one of yours, or has ended already.",
  noPassword:
    "This account has no password. Log in with Google again instead, or set one with Forgot Password.",
  wrongPassword: "The password is wrong.",
  confirmFirst: "Confirm with your password first, under Dashboard, Account. It is needed once an hour.",
  secondFactorFirst:
    "Admins of this store need a second factor. Set it up, or enter its code, under Dashboard, Account.",

  // Any request.
  notFound: "There is nothing at this address.",
  badId: "This id is not valid.",
  badInput: "Some of the input is not valid.",
  badJson: "The request body is not valid JSON.",
  badContentType: "The request body must be JSON.",
  badZone: "This time zone is not known.",
  badCursor: "This page link is not valid. Start again from the first page.",
  bodyTooLarge: "The request body is too large.",
  badRequest: "This is not a request that the store understands.",
  headersTooLarge: "The address or the headers of this request are too large.",
  tooSlow: "The request did not arrive in time.",
  methodNotAllowed: "This method is not available at this address.",
  tooManyRequests: "Too many requests. Wait a moment and try again.",

  // Any field.
  required: "A value is required.",
  tooLong: (max: number) => `Use at most ${max} characters.`,
  unreadableText: "The text contains characters that cannot be stored.",
  numberRequired: "Enter a number.",
  wholeNumber: "Enter a whole number.",
  atLeast: (min: number) => `Enter ${min} or more.`,
  atMost: (max: number) => `Enter ${max} or less.`,
  unknownMember: "This member is not known.",

  // Repeated calls.
  badRequestKey: "An idempotency key has 1 to 255 letters, digits or signs.",
  otherRequest: "This idempotency key was used for another request.",
  requestRunning: "The first request with this idempotency key is still running. Try again in a moment.",

  // Products.
  productNotFound: "This tool is not in the catalogue.",
  productGone: "This tool is no longer sold.",
  priceTooLow: "Price must be at least $0.01.",
  priceTooHigh: "Price must be at most $999,999.99.",
  tooManyDecimals: "Use at most two decimals.",
  badPicture: "Enter a web address or a path on this site.",
  itemNumberTaken: "Another tool already has this item number.",
  productChanged: "Another admin has changed this tool since you opened it.",
  stockTooLow: (left: number, taken: number) =>
    `Only ${left} pieces are left, ${taken} cannot be taken away. Some were sold since you opened this form.`,

  // Purchases.
  purchaseNotFound: "This order does not exist or was cancelled.",
  productUnknown: "No tool has this product name. Send the productId of the tool.",
  productAmbiguous: "Several tools have this product name. Send the productId of the tool.",
  emailNotYours: "An order can only be placed with your own email.",
  stockBelowMinimum: "The stock is below the minimum order. This tool cannot be ordered now.",
  priceChanged: (sent: string, today: string) =>
    `The price has changed: you saw ${sent}, today it is ${today}. Check the total and place the order again.`,
  totalChanged: (sent: string, today: string) =>
    `The total does not match: you saw ${sent}, today it is ${today}. Check it and place the order again.`,
  totalTooLow: (min: string) => `The total of one order must be at least ${min}.`,
  totalTooHigh: (max: string) => `The total of one order can be at most ${max}.`,
  paidCannotBeCancelled: "This order is already paid and can no longer be cancelled.",
  shippedCannotBeCancelled: "This order is already shipped and can no longer be cancelled.",
  unpaidCannotBeShipped: "This order is not paid yet and cannot be shipped.",
  alreadyShipped: "This order is already shipped.",
  refundedCannotBeShipped: "This order was refunded and cannot be shipped.",
  unpaidCannotBeRefunded: "This order is not paid, so there is nothing to refund.",
  reasonRequired: "Say why the money goes back. The buyer reads it.",
  alreadyRefunded: "The whole payment of this order has been refunded.",
  refundTooHigh: (left: string) => `At most ${left} of this order can be refunded.`,
  alreadyReturned: "The goods of this order are already back in stock.",

  // Payments.
  alreadyPaid: "This order is already paid.",
  noPurchaseOfThisTotal: "You have no unpaid order with this total.",
  amountAboveCardLimit: "This amount is above what one card payment can carry.",
  amountDiffers: (sent: string, due: string) => `The amount ${sent} is not the total of this order, ${due}.`,
  noPaymentProvider: "Card payment is not set up on this store.",
  paymentProviderDown: "The card provider does not answer. Try again in a moment.",
  badTransactionId: "This transaction id is not valid.",
  transactionUnknown: "The card provider does not know this transaction.",
  transactionNotSucceeded: "This payment has not succeeded.",
  transactionOfOtherPurchase: "This transaction has paid another order.",
  transactionDiffers: "This transaction does not match the order.",
  buyerDiffers: "This payment was made by another buyer.",
  paymentUnderWay: "A card payment of this order is being processed. Try again in a moment.",
  refundUnderWay:
    "The card provider does not answer. The refund is written down and will be made as soon as it does.",
  refundRefused: "The card provider refused this refund.",
  badSignature: "The signature of this event is not valid.",
  paidAfterCancel: "This order was cancelled before the payment arrived. The payment is being refunded.",

  // Mails kept by a store without an SMTP server.
  mailNotFound: "This mail does not exist.",
  noOutbox: "This store sends its mails; it keeps none to read here.",

  // Reviews, profile, roles.
  ratingTooLow: "Rating must be from 1 to 5.",
  educationRequired: "Education is required",
  locationRequired: "Location is required",
  phoneRequired: "Phone is required",
  linkedinRequired: "LinkedIn is required",
  oneProfileField: "Send one of education, location, phone or linkedin.",
  userNotFound: "No user has this email.",
  alreadyAdmin: "This user is already an admin.",

  // The store is at fault.
  serverFailed: "The store could not do this. Try again.",
  serverNotReady: "The store is not ready. Try again in a moment.",
  offline: "There is no connection to the store. Check your network and try again.",
} as const;
