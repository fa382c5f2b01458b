/** Only loaded by the server. */
import { truncate } from "./truncate.ts";

const shown = (cell: string) => truncate(cell, 40);

export const importRefusals = {
  importNotFound: "This import does not exist, or is older than 30 days.",
  notADryRun: "This import is applied already.",
  notApplied: "This import is only compared, so there is nothing to undo.",
  undoneAlready: "This import is undone already.",
  notDone: "This import is not finished yet.",
  waits: (problem: string) => `Waiting; it continues by itself. ${problem}`,
  importFailed: "This import failed, so it cannot be applied.",

  empty: "The file is empty. Choose another one.",
  workbook: "This is an Excel workbook. Save it as CSV and import it again.",
  notText: (byte: number) => `Byte ${byte} is not text. Save the file as CSV and import it again.`,
  badEncoding: (byte: number) =>
    `Byte ${byte} is neither UTF-8 nor does the rest of the file fit another encoding. Save it as CSV in UTF-8.`,
  halfCharacter: (byte: number) =>
    `The character at byte ${byte} is damaged: half of it is missing. Save the file as CSV in UTF-8.`,
  cutCharacter: (byte: number) =>
    `The file ends in the middle of a character, at byte ${byte}. It was cut off.`,
  openQuote: (row: number) =>
    `The file ends inside the quotes that begin in row ${row}. It was cut off, or a quote is missing.`,
  cutRow: (row: number, cells: number, headings: number) =>
    `The file ends in row ${row}, after ${cells} of ${headings} cells. It was cut off.`,
  badQuote: (row: number) =>
    `Row ${row} has a quote where none can be. Double it, or put the cell in quotes.`,
  rowTooLong: (row: number) => `Row ${row} is longer than 1 MB. A quote may be missing.`,
  noItemNumbers: (headings: string) =>
    `The heading has no column item_number. It has: ${headings || "nothing"}.`,
  fieldCount: (given: number, columns: number) =>
    `Fields were given for ${given} columns, but the file has ${columns}.`,
  badFields: "Give for each column of the file its field, or nothing, and item_number once.",
  twice: (column: string) => `The heading has two columns for ${column}.`,
  tooManyRows: "The file has more than 1,000,000 rows. Split it.",

  cellCount: (cells: number, headings: number) => `The row has ${cells} cells, the heading ${headings}.`,
  noItemNumber: "item_number: A value is required.",
  sameItemNumber: (row: number) => `item_number: Row ${row} has the same.`,
  sameName: (row: number) => `name: Row ${row} has the same, and no item number either.`,
  missingColumn: (column: string) => `${column}: There is no such tool, and a new one needs this column.`,
  changedSince: "The tool was changed or removed after the comparison. Import the row again.",
  soldSince: "quantity: Pieces were sold after the comparison, and fewer are left than the row takes away.",
  changedAfterwards: (column: string) => `${column}: It was changed again since.`,
  addedByImport: "The import added this tool. Delete it on Manage Products.",
  belowZero: (column: string, result: string) => `${column}: The result would be ${result}.`,
  itemNumberTaken: "item_number: Another tool has got it after the comparison.",
  twoMeanings: (column: string, cell: string, maxDecimals: number) => {
    const decimal = String(Number(cell.replace(/[^\d.,]/g, "").replace(",", ".")));
    const isAccepted = (decimal.split(".")[1] ?? "").length <= maxDecimals;
    const values = [cell.replace(/\D/g, ""), ...(isAccepted ? [decimal] : [])];
    return `${column}: ${shown(cell)} can be read two ways. Write ${values.join(" or ")}${isAccepted ? "" : ", if you mean that"}.`;
  },
  archivedIsSet: "Archived can only be set, to yes or no.",
  noLongerSold: (since: string) =>
    `item_number: No longer sold since ${since}. An import does not bring a tool back.`,
  otherSpelling: (itemNumber: string) =>
    `item_number: A tool on sale has ${itemNumber}, with other spaces, dashes or letter case. Write it like that.`,
  itemNumberInUse: "item_number: Another tool on sale has it.",
  idsOrFilters: "Send the ids of the tools or filters, not both.",
  onlyPricesAreRounded: "Only prices are rounded.",
  categoryIsSet: "A category can only be set, to 80 characters at most.",
  negative: (column: string, cell: string) => `${column}: ${shown(cell)} is below zero.`,
  noPicture:
    "picture: A tool needs one. Enter a web address, or a path on this site such as /tools/drill-driver.svg.",
  notANumber: (column: string, cell: string) => `${column}: ${shown(cell)} is not a number.`,
  otherCurrency: (column: string, cell: string) =>
    `${column}: ${shown(cell)} is in another currency. Enter the price in US dollars.`,
  notWhole: (column: string, cell: string) => `${column}: ${shown(cell)} is not a whole number.`,
  tooManyDecimals: (column: string, cell: string) => `${column}: ${shown(cell)} has more than two decimals.`,
  badBreaks: (cell: string) => `price_breaks: ${shown(cell)} is not like 100=11.90; 500=10.40.`,
};
