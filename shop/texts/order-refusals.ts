import { formatCount } from "./format-count.ts";

/** Also loaded by the checkout, with the form of an order. */
export const orderRefusals = {
  orderTooHigh: (max: string) =>
    `The total of an order can be at most ${max}. Place some of its lines as another order.`,
  linesChanged: (count: number) =>
    count === 1
      ? "One line cannot be ordered as it is. Nothing was ordered."
      : `${formatCount(count)} lines cannot be ordered as they are. Nothing was ordered.`,
  linesRequired: "Add at least one line.",
  tooManyLines: (max: number) => `An order has at most ${formatCount(max)} lines.`,
  productUnknown: "No tool has this product name. Send the productId of the tool.",
  productAmbiguous: "Several tools have this product name. Send the productId of the tool.",
  emailNotYours: "An order can only be placed with your own email.",
  totalChanged: (sent: string, today: string) =>
    `The total does not match: you saw ${sent}, today it is ${today}. Check it and place the order again.`,
  productOrItemNumber: "Send the productId or the itemNumber of a tool.",
  itemNumberOfOtherTool: "The productId is that of another tool. Send one of the two.",
  orderNotFound: "This order does not exist.",
  noDocument: "This document does not exist.",
  badPaper: "Paper is a4 or letter.",
  badColumns: (names: string) => `Columns are ${names}, separated by commas, or none.`,
  orderNotYours: "This order belongs to another buyer.",
  lineTwice: "This tool is on another line already.",
  cartChanged: "The cart was changed elsewhere.",
  cartFull: (max: number) => `A cart has at most ${formatCount(max)} lines.`,
  placeNameRequired: "Enter a name for this place.",
  addressNotFound: "This address is not in your address book.",
  addressBookFull: (max: number) =>
    `An address book has at most ${formatCount(max)} addresses. Delete one that you do not need.`,
  listNameRequired: "Enter a name for this list.",
  listNotFound: "This list does not exist.",
  listChanged: "The list was changed elsewhere.",
  listTooLong: (max: number) => `A list has at most ${formatCount(max)} lines.`,
  tooManyLists: (max: number) =>
    `An account can keep at most ${formatCount(max)} lists. Delete one that you do not need.`,
  textUnknown: (text: string) => `No tool has the item number ${text}.`,
  textAmbiguous: (text: string) => `Several tools have the name ${text}.`,
  noLongerSold: (tool: string) => `${tool} is no longer sold.`,
  notAQuantity: (typed: string) => `${typed} is not a quantity. Enter a whole number.`,
  minimumOrder: (minimum: number) => `The minimum order is ${formatCount(minimum)}.`,
  isNotAMultiple: (multiple: number, quantity: number) =>
    `Sold in multiples of ${formatCount(multiple)}. ${formatCount(quantity)} is not one.`,
  inStock: (stock: number, quantity: number) =>
    `${stock === 0 ? "None" : formatCount(stock)} in stock, you asked for ${formatCount(quantity)}.`,
  notEnoughForMinimum: (stock: number, minimum: number) =>
    `${stock === 0 ? "None" : formatCount(stock)} in stock, and the minimum order is ${formatCount(minimum)}.`,
  priceRose: (before: string, now: string) => `Price changed since you added it: was ${before}, now ${now}.`,
  badOrderNumbers: "Give up to 100 order numbers, separated by commas.",
  badTrackingUrl: "Enter an address that begins with https://.",
  badDate: "Enter a day as 2026-11-22.",
  piecesLeft: (left: number) =>
    left === 1 ? "1 is left on this line." : `${formatCount(left)} are left on this line.`,
  shippedMeanwhile: (shipped: number, seen: number) =>
    `${formatCount(shipped)} of this line ${shipped === 1 ? "is" : "are"} shipped now, not ${formatCount(seen)}. Check the quantity and ship again.`,
  refundedMeanwhile: (refunded: string, seen: string) =>
    `${refunded} of this order is refunded now, not ${seen}. Close this form and check whether more is to be refunded.`,
  shipmentNotFound: "This shipment does not exist. It may have been undone.",
  lineOfOtherOrder: "This line is not part of the order.",
} as const;
