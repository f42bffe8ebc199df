/** Safari reads the file only after the click has ended. */
const READ_WITHIN_MS = 60_000;

/** Saves a table in CSV, or a file of the server, as a file of the browser. */
export function downloadFile(name: string, content: string | Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(
    typeof content === 'string' ? new Blob([content], { type: 'text/csv;charset=utf-8' }) : content,
  );
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), READ_WITHIN_MS);
}
