// biome-ignore format: pairs
const ABBREVIATIONS: Record<string, string> = {
  st: 'street', str: 'street', rd: 'road', ave: 'avenue', av: 'avenue', blvd: 'boulevard', ln: 'lane', sq: 'square',
  pl: 'place', ct: 'court', pk: 'park', gdns: 'gardens', stn: 'station', hosp: 'hospital',
};

/** Lower case, without accents and punctuation, so that typed and written words compare equal. */
export function normalizeWords(text: string): string[] {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  return plain === '' ? [] : plain.split(' ');
}

/** How well a typed word matches a written one, from 0 (not at all) to 1 (equal). */
export function scoreWord(typed: string, written: string): number {
  if (typed === written || ABBREVIATIONS[typed] === written) return 1;
  if (written.startsWith(typed)) return 0.6 + (0.35 * typed.length) / written.length;
  // A wrong digit is another number, not a typing mistake.
  if (/^\d/.test(typed)) return 0;
  const slips = typed.length >= 8 ? 2 : typed.length >= 4 ? 1 : 0;
  if (slips === 0) return 0;
  // Most people get the first letter right or swap it with the second; checking only these keeps search fast.
  if (typed[0] !== written[0] && typed[0] !== written[1] && typed[1] !== written[0]) return 0;
  if (Math.abs(typed.length - written.length) <= slips && computeEditDistance(typed, written) <= slips) return 0.62;
  for (let length = typed.length - 1; length <= typed.length + 1; length += 1) {
    if (length < written.length && computeEditDistance(typed, written.slice(0, length)) <= 1) return 0.45;
  }
  return 0;
}

/** The number of letters to insert, delete, replace or swap with a neighbour to turn one word into the other. */
export function computeEditDistance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, (before[j - 2] ?? 0) + 1);
      row.push(best);
    }
    before = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
