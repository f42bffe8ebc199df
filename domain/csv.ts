const NUMBER = /^[+-]?\d+(?:\.\d+)?$/;
/** What stands before the first visible character of a cell, or before the text of one that has quotes. */
const BEFORE_VISIBLE = /^(?:"|[^\p{L}\p{N}\p{P}\p{S}]|[\p{Default_Ignorable_Code_Point}\u2800])+/u;
/** Where the comma separates decimals, spreadsheets separate cells at semicolons. Then a comma and quotes inside are text. */
const AFTER_SEPARATOR = /(?<=[;\t])[^;\t]+/g;

const startsFormula = (text: string): boolean =>
  /^[=+@\u2212\p{Pd}]/u.test(text.normalize('NFKD').replace(BEFORE_VISIBLE, ''));

/**
 * A text as a CSV cell. A spreadsheet runs a cell that starts with =, +, - or @, and some also take other dashes, full-width
 * forms, or leave out what is invisible before them. An apostrophe keeps such a cell a text, and also each part that is a cell in
 * some countries. Numbers stay numbers.
 */
export function toCsvCell(text: string): string {
  const line = text.replace(/[\r\n]+/g, ' ');
  const isFormula = !NUMBER.test(line) && (startsFormula(line) || /^[\t\r\n]/.test(text));
  const parts = line.replace(AFTER_SEPARATOR, (part) => (startsFormula(part) ? `'${part}` : part));
  return `"${isFormula ? "'" : ''}${parts.replaceAll('"', '""')}"`;
}

/** Excel takes a file for UTF-8 only when it begins with this. */
const BYTE_ORDER_MARK = '\uFEFF';

/** A CSV file of rows of cells, each written already: texts of people by `toCsvCell`. */
export const toCsvFile = (rows: readonly (readonly (string | number)[])[]): string =>
  `${BYTE_ORDER_MARK}${[...rows.map((row) => row.join(',')), ''].join('\r\n')}`;
