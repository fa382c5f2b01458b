export function downloadFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  downloadFrom(url, name);
  URL.revokeObjectURL(url);
}

/** Keeps the page, also if the download fails. Without a name, the server gives one. */
export function downloadFrom(url: string, name = ""): void {
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
}
