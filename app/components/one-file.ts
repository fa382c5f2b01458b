/** Where only one file is read: the others would be ignored without a word. */
export const ONE_FILE = "Drop one file at a time. None of these was used.";
