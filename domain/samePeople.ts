/** What two people of one order can have in common. */
export const SAME_MARKS = ['phone', 'device', 'bank', 'tax', 'network'] as const;
export type SameMark = (typeof SAME_MARKS)[number];

const WORDS: Readonly<Record<SameMark, string>> = {
  phone: 'phone number',
  device: 'device',
  bank: 'bank account',
  tax: 'tax number',
  network: 'network',
};

/**
 * Whether a mark alone says that two people may be the same. Many share a network who do not know each other, behind one address of a
 * town, a university or a mobile network: so it is only shown beside another mark.
 */
export const isTelling = (mark: SameMark): boolean => mark !== 'network';

/** `the same phone number, device and bank account`. */
export function describeMarks(marks: readonly SameMark[]): string {
  const words = marks.map((mark) => WORDS[mark]);
  const last = words.pop() ?? '';
  return `the same ${words.length === 0 ? last : `${words.join(', ')} and ${last}`}`;
}
