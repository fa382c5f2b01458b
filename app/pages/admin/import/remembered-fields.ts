/** The fields that were chosen for the last file, since an ERP writes the same headings every time. */
const KEY = "stator.import-fields";

/** Null if they were those of other headings. */
export function recallFields(heading: string[]): string[] | null {
  const [before, fields] = JSON.parse(localStorage.getItem(KEY) ?? "[[],[]]") as [string[], string[]];
  return JSON.stringify(before) === JSON.stringify(heading) ? fields : null;
}

export function rememberFields(heading: string[], fields: string[]): void {
  localStorage.setItem(KEY, JSON.stringify([heading, fields]));
}
