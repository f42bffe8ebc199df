/** Safari reads the file only after the click has ended. */
const READ_WITHIN_MS = 60_000;

/** Saves a text as a file of the browser, as CSV if no other type is said. */
export function downloadFile(name: string, text: string, type = 'text/csv'): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), READ_WITHIN_MS);
}
