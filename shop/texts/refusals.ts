/** Where the specification has no text, in the voice of docs/design.md, section 12. Safe in a browser. */

import { formatCount } from "./format-count.ts";
import { loginRefusals } from "./login-refusals.ts";
import { offline } from "./offline.ts";
import { passkeyRefusals } from "./passkey-refusals.ts";

const serverBusy = "The store is overloaded at the moment. Try again in a few seconds.";
const serverNotReady = "The store is not ready. Try again in a moment.";
const serverSavesNothing = "The store cannot save anything at the moment. Try again in a few minutes.";

export const refusals = {
  notSignedIn: "Log in to continue.",
  badToken: "Your session has ended, or its token is not valid. Log in again.",
  notYours: "This belongs to another account.",
  adminsOnly: "Only admins can do this.",
  tokenForOtherEmail: "The token can only be issued for the email you are logged in with.",
  emailNotVerified: "Confirm your email address first. The link is in the email we sent you.",
  otherOrigin: "This request came from another site and was refused.",

  ...loginRefusals,
  ...passkeyRefusals,

  notFound: "Not found.",
  badId: "This id is not valid.",
  badInput: "Some of the input is not valid.",
  unknownMember: (name: string) => `“${name}” is not known here. Check its spelling.`,
  badJson: "The request body is not valid JSON.",
  badContentType: "The request body must be JSON.",
  badZone: "This time zone is not known.",
  badCursor: "This page link is not valid. Start again from the first page.",
  onlyPaidWait: "Only paid orders can be sorted by waiting time.",
  bodyTooLarge: "The request body is too large.",
  badRequest: "The request is malformed.",
  urlTooLong: "This address is too long. Shorten it to 4,096 characters.",
  headersTooLarge: "The address or the headers of this request are too large.",
  tooSlow: "The request did not arrive in time.",
  methodNotAllowed: "This method is not available at this address.",
  tooManyLinks:
    "Several links were sent to this address in the last hour. Open them first, or try again later.",
  tooManyRequests: "Too many requests. Wait a moment and try again.",

  notAForm: "Send the file as a form (multipart/form-data).",
  badForm: "The upload is incomplete or damaged. Send it again.",
  fileRequired: "Choose a file.",
  fileTooLarge: (megabytes: number) => `The file is larger than ${megabytes} MB.`,

  required: "A value is required.",
  tooLong: (max: number) => `Use at most ${formatCount(max)} characters.`,
  tooManyWords: (max: number) => `Search for at most ${max} words.`,
  unreadableText:
    "The text contains a character that cannot be stored, such as a tab. Delete it, or type the text again.",
  numberRequired: "Enter a number.",
  plainNumber: "Enter a number without separators, such as 1490 or 12.50.",
  wholeNumber: "Enter a whole number.",
  atLeast: (min: number) => `Enter ${min} or more.`,
  atMost: (max: number) => `Enter ${max} or less.`,

  badRequestKey: "An idempotency key has 1 to 255 letters, digits or symbols, and no spaces.",
  otherRequest: "This idempotency key was used for another request.",
  requestRunning: "The first request with this idempotency key is still running. Try again in a moment.",

  productNotFound: "This tool is not in the catalogue.",
  archivedNotFound: "This tool is not in the archive.",
  productGone: "This tool is no longer sold.",
  priceTooLow: "Price must be at least $0.01.",
  priceTooHigh: "Price must be at most $999,999.99.",
  tooManyDecimals: "Use at most two decimals.",
  badPicture: "Enter a web address or a path on this site.",
  smallestOrderTooHigh: (total: string, max: string, most: number) =>
    `The smallest order would cost ${total}. A card payment can be at most ${max}: enter ${most} or less.`,
  smallestOrderTooLow: (total: string, min: string, least: number) =>
    `The smallest order would cost ${total}. A card payment must be at least ${min}: enter ${least} or more.`,
  itemNumberTaken: "Another tool already has this item number.",
  productChanged: "Another admin has changed this tool since you opened it.",
  stockTooLow: (left: number, taken: number) =>
    `Only ${formatCount(left)} pieces are left, so ${formatCount(taken)} cannot be removed. Some were sold since you opened this form.`,

  stockKind: "Choose receive, count or correct.",
  noCorrection: "Enter how many pieces to add or remove.",
  correctionTooLarge: (left: number) =>
    `Only ${formatCount(left)} pieces are in stock. Remove at most that many.`,

  stockChanged: "This stock has changed meanwhile. Check the ledger before you send this again.",

  noWords: "Enter letters or digits.",
  sameWords: "These two terms are the same to the search already. Enter another term.",
  synonymKnown: "This pair is in the list already.",
  synonymNotFound: "This synonym is not in the list.",

  purchaseNotFound: "This order does not exist or was cancelled.",
  priceChanged: (sent: string, today: string) =>
    `The price has changed: you saw ${sent}, today it is ${today}. Check the total and place the order again.`,
  totalTooLow: (min: string) => `The total of one order must be at least ${min}.`,
  notAMultiple: (multiple: number, near: number[]) =>
    near.length === 0
      ? `Sold in multiples of ${formatCount(multiple)}.`
      : `Sold in multiples of ${formatCount(multiple)}. Take ${near.map(formatCount).join(" or ")}.`,
  minimumNotAMultiple: (multiple: number) => `Enter a multiple of ${multiple}.`,
  tooManyBreaks: (max: number) => `A tool has at most ${max} price breaks.`,
  breakTooSmall: (quantity: number, last: number) =>
    `The price from ${formatCount(quantity)} pieces must start above ${formatCount(last)}.`,
  breakNotCheaper: (quantity: number) =>
    `The price from ${formatCount(quantity)} pieces must be lower than the one before.`,
  totalTooHigh: (max: string) => `The total of one order can be at most ${max}.`,
  paidCannotBeCancelled: "This order is already paid and can no longer be cancelled.",
  shippedCannotBeCancelled: "This order is already shipped and can no longer be cancelled.",
  unpaidCannotBeShipped: "This order is not paid yet and cannot be shipped.",
  alreadyShipped: "This order is already shipped.",
  refundedCannotBeShipped: "This order was refunded and cannot be shipped.",
  restockingCannotBeShipped: "A pending refund restocks the pieces of this order, so it cannot be shipped.",
  notShipped: "This order is not shipped.",
  undoTooLate: "This shipment can no longer be undone: the email to the buyer is on its way.",
  undoForgotten:
    "This shipment cannot be undone: the buyer has deleted the account, and the address was deleted with the shipment.",
  unpaidCannotBeRefunded: "This order is not paid, so there is nothing to refund.",
  reasonRequired: "Enter a reason for the refund. The buyer sees it.",
  alreadyRefunded: "The whole payment of this order has been refunded.",
  refundTooHigh: (left: string) => `At most ${left} of this order can be refunded.`,
  alreadyReturned: "The pieces of this order are already back in stock.",
  restockPending: "Another refund of this order already restocks its pieces.",
  restockJustShipped:
    "This order was shipped a moment ago. Undo the shipment first, or restock the pieces when they have arrived.",
  orderChanged: "This order has changed since you opened it. Close this form and check its status.",

  // Those that the browser does not need are in payment-refusals.ts.
  amountAboveCardLimit: "This amount is above the limit of one card payment.",
  badTransactionId: "This transaction id is not valid.",
  transactionNotSucceeded: "This payment has not succeeded.",
  paymentProcessing:
    "Your bank is still working on this payment. Do not pay again: you get an email when it is done.",
  howRequired: "Enter how it was refunded. The buyer sees it.",

  emailNotFound: "This email does not exist.",
  noOutbox: "This store sends its emails; none are kept here.",

  ratingTooLow: "Rating must be from 1 to 5.",
  educationRequired: "Education is required",
  locationRequired: "Location is required",
  phoneRequired: "Phone is required",
  linkedinRequired: "LinkedIn is required",
  emailTooLong: (max: number) => `The email address is too long. Use at most ${max} characters.`,
  noImage: "An account has no picture.",
  oneProfileField: "Send one of education, location, phone or linkedin.",
  reviewNotFound: "This review does not exist.",
  userNotFound: "No user has this email.",

  serverFailed: "Something went wrong in the store. Try again.",
  serverBusy,
  serverNotReady,

  databaseDown: {
    unreachable: serverNotReady,
    busy: serverBusy,
    readOnly: serverSavesNothing,
    diskFull: serverSavesNothing,
  },
  readiness: {
    unreachable: "The database cannot be reached.",
    busy: "The database has no free connection or memory.",
    readOnly: "The database is read-only.",
    diskFull: "The disk of the database is full.",
    draining: "The store is about to stop.",
  },
  offline,
} as const;
