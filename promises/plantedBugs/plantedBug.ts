/** A bug to plant: a replacement in a source file after which a suite must fail. */
export type PlantedBug = {
  readonly bug: string;
  readonly file: string;
  /** Must occur exactly once in the file. */
  readonly find: string;
  readonly replace: string;
  /** The test file that must fail. */
  readonly suite: string;
  /** How many cases are enough to find it; CI's number by default. */
  readonly cases?: number;
};
