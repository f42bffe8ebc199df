// What people may write into a text that others read: whatever they can see. Unicode can hide characters, reverse the order
// in which a line is read, and break a line, so that one person's words look like somebody else's.

const LINE_BREAK = /[\n\v\f\r\u0085\u2028\u2029]/;
// PostgreSQL cannot store NUL or half a surrogate pair, and nobody types the other control characters.
// biome-ignore lint/suspicious/noControlCharactersInRegex: this matches control characters on purpose
const CONTROL_CHARACTER = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]|\p{Surrogate}/u;
/** More control characters, and what no character ever is: a file of XML can have no U+FFFF. */
const NO_CHARACTER = /[\u0080-\u009f\p{Noncharacter_Code_Point}]/u;
/** Marks of direction and order, joiners, fillers, tags, variation selectors. */
const INVISIBLE_CHARACTER = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/u;
/** Programs put these around what they copy, such as a phone number. There they change nothing. */
const OUTER_MARK = /[\s\u061c\u200e\u200f\u202a-\u202c\u2066-\u2069]/;
const VISIBLE_CHARACTER = /(?!\u2800)[\p{L}\p{N}\p{P}\p{S}]/u;

/** Invisible characters that people's languages and emoji need, each only where it has its meaning. In this order. */
const NEEDED_INVISIBLE = [
  // The flags of England, Scotland and Wales.
  /\u{1f3f4}[\u{e0020}-\u{e007e}]{1,16}\u{e007f}/gu,
  // Joined and unjoined letters, and the ends of words where no spaces are written.
  /(?<=[\p{scx=Arab}\p{scx=Syrc}\p{scx=Thaa}\p{scx=Nkoo}\p{scx=Mong}\p{scx=Adlm}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Thai}\p{scx=Laoo}\p{scx=Tibt}\p{scx=Mymr}\p{scx=Khmr}\p{scx=Java}\p{scx=Bali}])[\u200b-\u200d]/gu,
  // Emoji of several parts, emoji in color, and digits in a key.
  /(?<=[\p{Emoji_Presentation}\p{Extended_Pictographic}\p{Emoji_Modifier}]|\ufe0f)\u200d(?=\p{Extended_Pictographic})/gu,
  /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier_Base}])[\ufe0e\ufe0f]/gu,
  /(?<=[0-9#*])\ufe0f(?=\u20e3)/gu,
  // Forms of ideographs, which family names need, and of Mongolian letters.
  /(?<=\p{scx=Hani})[\ufe00-\ufe02\u{e0100}-\u{e01ef}]/gu,
  /(?<=\p{scx=Mong})[\u180b-\u180f]/gu,
];

const withoutNeededInvisible = (text: string) =>
  NEEDED_INVISIBLE.reduce((rest, needed) => rest.replace(needed, 'x'), text);

export type TextProblem = 'empty' | 'several-lines' | 'control' | 'invisible' | 'web-address';
export type TextRule = { readonly lines: 'one' | 'many'; readonly isName?: boolean };

/** The one way to write the same text: Unicode's NFC, and in a text of several lines the line break of the web. */
export function normalizeText(text: string, { lines }: TextRule): string {
  const unified = lines === 'one' ? text : text.replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n');
  let [start, end] = [0, unified.length];
  while (start < end && OUTER_MARK.test(unified.charAt(start))) start += 1;
  while (end > start && OUTER_MARK.test(unified.charAt(end - 1))) end -= 1;
  return unified.slice(start, end).trim().normalize('NFC');
}

/** Whether a text has a character that no text may have, not even one from before the other rules. */
export function hasControlCharacter(text: string): boolean {
  return CONTROL_CHARACTER.test(text);
}

/** The first rule that a normalized text breaks. */
export function findTextProblem(text: string, { lines, isName = false }: TextRule): TextProblem | undefined {
  if (lines === 'one' && LINE_BREAK.test(text)) return 'several-lines';
  if (hasControlCharacter(text) || NO_CHARACTER.test(text)) return 'control';
  if (lines === 'one' && text.includes('\t')) return 'control';
  if (INVISIBLE_CHARACTER.test(withoutNeededInvisible(text))) return 'invisible';
  if (text !== '' && !VISIBLE_CHARACTER.test(text)) return 'empty';
  return isName && hasWebAddress(text) ? 'web-address' : undefined;
}

/**
 * Whether a mail program would make a link of a part of a name. A dot before two letters or more is a domain, unless only an
 * initial stands before it, or a capitalized word that is no common ending follows: J.R.R.Tolkien and St.John are names.
 */
function hasWebAddress(name: string): boolean {
  // Full-width letters and dots make a domain, too.
  const words = name.normalize('NFKC').split(/\s+/);
  return words.some((word) => {
    if (word.includes('://') || /www\./i.test(word)) return true;
    const labels = word.split('.');
    const isDomain = labels.some(
      (label, index) =>
        /^\p{L}\p{L}/u.test(label) && !isCapitalizedWord(label) && /[\p{L}\p{N}-]{2}$/u.test(labels[index - 1] ?? ''),
    );
    return isDomain || (labels.length > 1 && /[\p{L}\p{N}]\//u.test(word));
  });
}

const isCapitalizedWord = (label: string) =>
  /^\p{Lu}\p{Ll}/u.test(label) && !/^(?:com?|net|org|info|biz|app|shop|io|me)\b/i.test(label);

/** A text from before these rules as one harmless line, for the mails and lists that it appears in. */
export function toSafeLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .trim();
}
