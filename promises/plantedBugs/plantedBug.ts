/** A replacement in a source file. */
export type PlantedEdit = {
  readonly file: string;
  /** Must occur exactly once in the file. */
  readonly find: string;
  readonly replace: string;
};

/** A bug to plant: a replacement in a source file after which a suite must fail. */
export type PlantedBug = PlantedEdit & {
  readonly bug: string;
  /** What is replaced as well, where one wall stands behind another one. */
  readonly also?: readonly PlantedEdit[];
  /** The test file that must fail. */
  readonly suite: string;
  /** How many cases are enough to find it; CI's number by default. */
  readonly cases?: number;
};

export const editsOf = (bug: PlantedBug): readonly PlantedEdit[] => [bug, ...(bug.also ?? [])];
