const NUMBER = /^[+-]?\d+(?:\.\d+)?$/;
/** What stands before the first visible character of a cell. */
const BEFORE_VISIBLE = /^(?:[^\p{L}\p{N}\p{P}\p{S}]|[\p{Default_Ignorable_Code_Point}\u2800])+/u;

/**
 * A text as a CSV cell. A spreadsheet runs a cell that starts with =, +, - or @, and some also take other dashes, full-width
 * forms, or leave out what is invisible before them. An apostrophe keeps such a cell a text. Numbers stay numbers.
 */
export function toCsvCell(text: string): string {
  const line = text.replace(/[\r\n]+/g, ' ');
  const start = line.normalize('NFKD').replace(BEFORE_VISIBLE, '');
  const isFormula = !NUMBER.test(line) && (/^[=+@\u2212\p{Pd}]/u.test(start) || /^[\t\r\n]/.test(text));
  return `"${isFormula ? "'" : ''}${line.replaceAll('"', '""')}"`;
}
