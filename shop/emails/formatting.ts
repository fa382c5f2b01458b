import { oneLine } from "./layout.ts";

/** Without a name that has a link: anyone could register with another person's email and send advertisements. */
export function greeting(name: string): string {
  const shown = oneLine(name, 61);
  const looksLikeLink = /[/\\@:]|www|[\p{L}\p{M}\p{N}-][.。．｡]\p{L}{2,}/iu.test(shown);
  return shown === "" || shown.length > 60 || looksLikeLink ? "Hello," : `Hello ${shown},`;
}

/** "Nov 27, 2026, 9:30 AM UTC" */
export function formatInstant(at: Date): string {
  const format = { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" } as const;
  return `${at.toLocaleString("en-US", format)} UTC`;
}

/** 168 is "7 days", 24 is "24 hours". */
export function formatDuration(hours: number): string {
  if (hours > 24 && hours % 24 === 0) return `${hours / 24} days`;
  return hours === 1 ? "1 hour" : `${hours} hours`;
}
