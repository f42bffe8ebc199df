/** Safari reads the file only after the click has ended. */
const READ_WITHIN_MS = 60_000;

/** Saves a text or the answer of a call as a file of the browser: a text as CSV, if no other type is said. */
export function downloadFile(name: string, content: string | Blob, type = 'text/csv'): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(
    typeof content === 'string' ? new Blob([content], { type: `${type};charset=utf-8` }) : content,
  );
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), READ_WITHIN_MS);
}
