/** Lets the browser save a file that the page has made. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Not at once: the browser may read it only after this task.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
