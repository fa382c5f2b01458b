/**
 * What the store answers where the specification is silent: refusals and form messages of our own, in the
 * voice of DESIGN.md section 12 (what is wrong, then what to do). Texts of the specification stand in
 * messages.ts. No imports; safe in a browser.
 */
export const refusals = {
  /** Who is asking. */
  access: {
    notSignedIn: "Log in to continue.",
    sessionEnded: "Your session has ended. Log in again.",
    notYours: "This belongs to another account.",
    adminsOnly: "Only admins can do this.",
    tokenForOtherEmail: "The token can only be issued for the email you are logged in with.",
    emailNotVerified: "Confirm your email address first. The link is in the mail we sent you.",
  },
  /** Log in, register, password reset, Google. */
  identity: {
    wrongEmailOrPassword: "The email or the password is wrong.",
    emailInUse: "This email address is already in use by another account.",
    passwordTooLong: "The password is too long.",
    resetLinkInvalid: "This password link is no longer valid. Ask for a new one.",
    verificationLinkInvalid: "This confirmation link is no longer valid. Ask for a new one.",
    googleNotConfigured: "Login with Google is not set up on this store.",
    googleFailed: "Login with Google did not succeed. Try again or use your email.",
    otherOrigin: "This request came from another site and was refused.",
  },
  /** Anything that is asked for by an id or an address. */
  request: {
    notFound: "There is nothing at this address.",
    badId: "This id is not valid.",
    badInput: "Some of the input is not valid.",
    badJson: "The request body is not valid JSON.",
    bodyTooLarge: "The request body is too large.",
    wrongContentType: "The request body must be JSON.",
    methodNotAllowed: "This method is not available at this address.",
    tooManyRequests: "Too many requests. Wait a moment and try again.",
    badCursor: "This page link is not valid. Start again from the first page.",
    alreadyDone: "This request was already sent with other content.",
  },
  product: {
    notFound: "This tool is not in the catalogue.",
    gone: "This tool is no longer sold.",
    priceInvalid: "Price must be more than 0, with at most two decimals.",
    quantityInvalid: "Product Quantity must be a whole number, 0 or more.",
    minimumOrderInvalid: "Minimum Order Number must be a whole number, 1 or more.",
    pictureInvalid: "Product picture must be a web address or a path on this site.",
    itemNumberTaken: "Another tool already has this item number.",
    boxInvalid: "The drawn box needs four numbers: x, y, width and height.",
  },
  purchase: {
    notFound: "This order does not exist or was cancelled.",
    productUnknown: "No tool has this product name. Send the productId of the tool.",
    productAmbiguous: "Several tools have this product name. Send the productId of the tool.",
    quantityInvalid: "Purchase quantity must be a whole number, 1 or more.",
    emailIsNotYours: "An order can only be placed with your own email.",
    minimumAboveStock: "The stock is below the minimum order. This tool cannot be ordered now.",
    priceChanged: (sent: string, today: string) =>
      `The price has changed: you saw ${sent}, today it is ${today}. Check the total and place the order again.`,
    totalChanged: (sent: string, today: string) =>
      `The total does not match: you sent ${sent}, it is ${today}. Check the total and place the order again.`,
    paidCannotBeCancelled: "This order is already paid and can no longer be cancelled.",
    shippedCannotBeCancelled: "This order is already shipped and can no longer be cancelled.",
    unpaidCannotBeShipped: "This order is not paid yet and cannot be shipped.",
    alreadyShipped: "This order is already shipped.",
  },
  payment: {
    alreadyPaid: "This order is already paid.",
    amountInvalid: "The amount must be more than 0, with at most two decimals.",
    amountTooLarge: "This amount is above what one card payment can carry.",
    amountDiffers: (sent: string, due: string) =>
      `The amount ${sent} is not the total of this order, ${due}.`,
    transactionUnknown: "The card provider does not know this transaction.",
    transactionNotSucceeded: "This payment has not succeeded.",
    transactionOfOtherOrder: "This transaction has paid another order.",
    transactionDiffers: "This transaction does not match the order.",
    providerMissing: "Card payment is not set up on this store.",
    providerUnreachable: "The card provider does not answer. Your card was not charged. Try again.",
    signatureInvalid: "The signature of this event is not valid.",
    refunded: "This order was cancelled before the payment arrived. The payment is being refunded.",
  },
  review: {
    ratingRequired: "Rating is required",
    ratingRange: "Rating must be from 1 to 5.",
    textRequired: "Review is required",
  },
  /** The specification asks for a value in each form and does not show the text. */
  profile: {
    educationRequired: "Education is required",
    locationRequired: "Location is required",
    phoneRequired: "Phone is required",
    linkedinRequired: "LinkedIn is required",
    oneFieldOnly: "Send one of education, location, phone or linkedin.",
    userNotFound: "No user has this email.",
  },
  admin: {
    alreadyAdmin: "This user is already an admin.",
  },
  /** Any text field. */
  text: {
    tooLong: (max: number) => `Use at most ${max} characters.`,
    numberRequired: "Enter a number.",
    unknownMember: "This member is not known.",
  },
  /** The defect and the outage: what the store says when it is at fault. */
  server: {
    failed: "The store could not do this. Nothing was changed. Try again.",
    unavailable: "The store is not ready. Try again in a moment.",
    offline: "There is no connection to the store. Check your network and try again.",
  },
} as const;
