/** Refusals about customers, notes and saved views. */
export const customerRefusals = {
  customerNotFound: "This customer does not exist.",
  noteRequired: "Enter a note.",
  noteNotFound: "This note does not exist.",
  noteOfOther: "A note can be deleted by its author only.",
};
