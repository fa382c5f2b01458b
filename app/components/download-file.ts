/** Some browsers read the content only after the click, or after they have asked where to save it. */
const KEEP_MS = 60_000;

export function downloadFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  downloadFrom(url, name);
  setTimeout(() => URL.revokeObjectURL(url), KEEP_MS);
}

/** Keeps the page, also if the download fails. Without a name, the server gives one. */
export function downloadFrom(url: string, name = ""): void {
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
}
