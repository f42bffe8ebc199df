/** What common passwords are made of: words, names, keyboard rows. In lower case, without digits in place of letters. */
const COMMON_WORDS = new Set(
  `abc abcd abcde abcdef admin administrator adobe andrew angel anthony april ashley asdf asdfgh august autumn baby bailey
  banana baseball basketball batman buster butterfly changeme charlie cheese chelsea chocolate computer cookie daniel
  december default demo diamond donald dragon eagle february flower football freedom friday friend ginger guest hannah
  harley hello hockey hunter iloveyou internet january jennifer jessica jordan joshua july june killer laundry letmein
  liverpool login london love lovely maggie march master matrix matthew michael michelle mickey monday monkey mother
  mustang myspace newyork nicole ninja november october orange pass passw passwd password passwort pepper pokemon princess
  purple qazwsx qwer qwert qwerty qwertyuiop qwertz ranger root rubadub samsung saturday secret september shadow soccer
  spring starwars summer sunday sunshine superman taylor temp test tester testing thomas thursday tigger trustno tuesday
  user wednesday welcome whatever william winter yellow zxcvbn zxcvbnm`.split(/\s+/),
);

const LETTER_OF: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};
const RUNS = ['01234567890', 'abcdefghijklmnopqrstuvwxyz', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
const LONGEST_TYPED_RUN = 3;
const FEW_CHARACTERS = 4;

const isLetter = (character: string) => character >= 'a' && character <= 'z';

/**
 * Whether a password that keeps the rules is still among the first that somebody would try: a common word with digits and
 * signs around it ('P@ssword1!'), little more than a row of keys ('Abcd1234!'), or a few characters again and again.
 */
export function isEasyToGuess(password: string): boolean {
  const text = password.toLowerCase();
  if (new Set(text).size <= FEW_CHARACTERS) return true;
  const core = withoutEnds(text);
  const letters = [...core].map((character) => LETTER_OF[character] ?? character).join('');
  if (COMMON_WORDS.has(letters) || COMMON_WORDS.has(onlyLetters(text))) return true;
  return withoutRuns(text).length <= LONGEST_TYPED_RUN;
}

/** Without the digits and signs before the first letter and after the last one. */
function withoutEnds(text: string): string {
  const characters = [...text];
  const first = characters.findIndex(isLetter);
  return first < 0 ? '' : characters.slice(first, characters.findLastIndex(isLetter) + 1).join('');
}

const onlyLetters = (text: string) => [...text].filter(isLetter).join('');

const isRun = (pair: string) => RUNS.some((run) => run.includes(pair));

/** Without the characters that repeat the one before, or stand beside it in a row of keys. */
function withoutRuns(text: string): string {
  return [...text]
    .filter((character, index, all) => {
      const before = all[index - 1] ?? '';
      return before === '' || (character !== before && !isRun(before + character) && !isRun(character + before));
    })
    .join('');
}
