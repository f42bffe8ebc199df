/** What the hands of a person did in a page, as handActs.js counts it. */
export type HandActs = {
  /** Presses of the mouse or a finger. */
  readonly presses: number;
  /** Keys that were typed into fields. */
  readonly keys: number;
  /** Single keys that do something by themselves, like Enter. */
  readonly commands: number;
  /** New pages, which are read before the next act. */
  readonly pages: number;
  readonly scrolls: number;
  /** Moves of the hand between the mouse and the keyboard. */
  readonly handMoves: number;
};

export const NO_ACTS: HandActs = { presses: 0, keys: 0, commands: 0, pages: 0, scrolls: 0, handMoves: 0 };

/**
 * Seconds for each act, of the keystroke-level model: S. K. Card, T. P. Moran and A. Newell, "The keystroke-level model for user
 * performance time with interactive systems", Communications of the ACM 23 (7), 1980, pages 396 to 410. They are the averages of
 * people who know the task, with an average typist's keys. Times of the machine are left out. The model thinks before each
 * decision: here before each press, each single key, and on each new page, which is more often than its rules ask for.
 */
const SECONDS = { point: 1.1, press: 0.2, key: 0.28, think: 1.35, handMove: 0.4 };

/** How long a person needs for these acts, without any clock. */
export function secondsOf({ presses, keys, commands, pages, scrolls, handMoves }: HandActs): number {
  const { point, press, key, think, handMove } = SECONDS;
  return (
    presses * (think + point + press) +
    keys * key +
    commands * (think + key) +
    pages * think +
    scrolls * (point + press) +
    handMoves * handMove
  );
}

const sum = (left: HandActs, right: HandActs, sign: 1 | -1): HandActs => ({
  presses: left.presses + sign * right.presses,
  keys: left.keys + sign * right.keys,
  commands: left.commands + sign * right.commands,
  pages: left.pages + sign * right.pages,
  scrolls: left.scrolls + sign * right.scrolls,
  handMoves: left.handMoves + sign * right.handMoves,
});

/** The acts of several pages together. */
export const addActs = (all: readonly HandActs[]): HandActs =>
  all.reduce((left, right) => sum(left, right, 1), NO_ACTS);

/** The acts since an earlier count. */
export const subtractActs = (now: HandActs, before: HandActs): HandActs => sum(now, before, -1);
