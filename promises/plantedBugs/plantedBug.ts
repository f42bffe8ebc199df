/** A bug to be planted: a text of a source replaced by another, after which a suite must turn red. */
export type PlantedBug = {
  readonly bug: string;
  readonly file: string;
  /** Stands there exactly once. */
  readonly find: string;
  readonly replace: string;
  /** The file whose tests must find it. */
  readonly suite: string;
  /** How many cases are enough; the table's for CI without one. */
  readonly cases?: number;
};
