export const customerRefusals = {
  customerNotFound: "This customer does not exist.",
  customerDeleted: "The account of this customer was deleted. Its paid orders are kept.",
  emailNotConfirmed:
    "This user has not confirmed the email address. Ask them to open the link in their confirmation email first, or confirm that you want to make them an admin anyway.",
  noteRequired: "Enter a note.",
  noteNotFound: "This note does not exist.",
  tooManyNotes: "There are 500 notes already. Delete one of yours first.",
  noteOfOther: "A note can be deleted by its author only.",
  viewNameRequired: "Enter a name.",
  badView: "This is no query of a list.",
  viewNotFound: "This view does not exist.",
  tooManyViews: "You have 50 views. Delete one first.",
};
