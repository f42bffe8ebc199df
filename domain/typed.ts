// Numbers and codes as people type and paste them. Keyboards and systems write both in many ways: other digits, another decimal
// mark, spaces between groups.

const DIGIT = /\p{Nd}/u;

/** The value of a digit of any script: each script has its ten digits in a row, from zero. */
function valueOfDigit(digit: string): number {
  const code = digit.codePointAt(0) ?? 0;
  let below = 0;
  while (DIGIT.test(String.fromCodePoint(code - below - 1))) below += 1;
  // Some scripts have several rows, one directly after the other.
  return below % 10;
}

/** The same text with the digits 0 to 9: '٤٨٢١' and '４８２１' are '4821'. */
export function toAsciiDigits(text: string): string {
  return text.replaceAll(/\p{Nd}/gu, (digit) => (digit >= '0' && digit <= '9' ? digit : String(valueOfDigit(digit))));
}

/** The digits of a code as it is typed or pasted: '509 975' and 'Code: 509-975' are '509975'. Further digits are cut off. */
export function digitsOfCode(typed: string, length: number): string {
  return toAsciiDigits(typed).replaceAll(/\D/g, '').slice(0, length);
}

/** A code or a number of an account in plain letters and digits, without what stands between them. Anything else stays, and is refused. */
export function withoutSeparators(code: string): string {
  return toAsciiDigits(code.normalize('NFKC')).replaceAll(/[\s\p{Dash}\p{Default_Ignorable_Code_Point}]/gu, '');
}

export type DecimalMark = '.' | ',';
export type NumberRule = {
  /** The decimal mark of the person. It decides about a mark before three digits, which could also separate a group. */
  readonly decimalMark?: DecimalMark;
  /** Whether thousands may be in groups. Without, each single mark is the decimal mark. */
  readonly hasGroups?: boolean;
};

/** What some keyboards write instead of a point, a comma, an apostrophe and a minus. */
const OTHER_SIGNS: readonly (readonly [RegExp, string])[] = [
  [/[\uff0e\u066b]/g, '.'],
  [/[\uff0c\u060c]/g, ','],
  [/[\u2019\u066c]/g, "'"],
  [/[\u2212\uff0d]/g, '-'],
];
/** Signs that only ever stand between groups of digits. */
const GROUP_SIGN = /(?<=\d)[\s'](?=\d{3}(?!\d))/g;

/** The number that somebody has typed, in any digits, with a point or a comma; undefined when it is none. */
export function parseTypedNumber(typed: string, rule: NumberRule = {}): number | undefined {
  const digits = toAsciiDigits(typed).replaceAll(/\p{Sc}/gu, '');
  const text = OTHER_SIGNS.reduce((now, [sign, usual]) => now.replaceAll(sign, usual), digits).trim();
  const [, minus = '', body = ''] = /^(-?)\s*(\S.*)$/.exec(text) ?? [];
  const plain = toPlainNumber(body.replaceAll(GROUP_SIGN, ''), rule);
  return /^(?:\d+(?:\.\d*)?|\.\d+)$/.test(plain) ? Number(`${minus}${plain}`) : undefined;
}

/** With a point as its decimal mark, and without groups. */
function toPlainNumber(body: string, { decimalMark = '.', hasGroups = false }: NumberRule): string {
  const last = Math.max(body.lastIndexOf('.'), body.lastIndexOf(','));
  if (last < 0) return body;
  const [whole, mark, rest] = [body.slice(0, last), body.charAt(last), body.slice(last + 1)];
  if (hasGroups && isInGroups(body, mark, decimalMark)) return body.replaceAll(mark, '');
  if (!/[.,]/.test(whole)) return `${whole}.${rest}`;
  const other = mark === '.' ? ',' : '.';
  // 1.234,50: the two marks tell which is which.
  return hasGroups && !whole.includes(mark) && isInGroups(whole, other, mark)
    ? `${whole.replaceAll(other, '')}.${rest}`
    : body;
}

/** Whether each `mark` separates a group of thousands. A single one does only where it is not the decimal mark. */
function isInGroups(whole: string, mark: string, decimalMark: string): boolean {
  const groups = whole.split(mark);
  const [first = '', ...others] = groups;
  const isGrouped =
    /^[1-9]\d{0,2}$/.test(first) &&
    others.every((group, index) => (index === others.length - 1 ? /^\d{3}$/ : /^\d{2,3}$/).test(group));
  return isGrouped && (others.length > 1 || mark !== decimalMark);
}
