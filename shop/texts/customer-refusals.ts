export const customerRefusals = {
  customerNotFound: "This customer does not exist.",
  noteRequired: "Enter a note.",
  noteNotFound: "This note does not exist.",
  noteOfOther: "A note can be deleted by its author only.",
  viewNameRequired: "Enter a name.",
  badView: "This is no query of a list.",
  viewNotFound: "This view does not exist.",
  tooManyViews: "You have 50 views. Delete one first.",
};
