import { toast } from "./toast.ts";

/** Copies a text and says so. `what` is the text's name: "Transaction id". */
export async function copyText(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast.success(`${what} copied`);
  } catch {
    toast.error("The browser did not allow copying. Select the text and copy it.");
  }
}
