import type { Edit } from './edits.ts';

/** A symbol of a file, such as `domain/process/order.ts#ORDER_ROWS[start-order]`; a file that is not code has none. */
type Change = { readonly at: string } & Edit;

/** A small change of the product after which a suite must fail. */
export type Mutant = Change & {
  /** What is wrong with the product then, in one sentence. */
  readonly mutant: string;
  /** Changes that belong to it, where one check stands behind another one. */
  readonly also?: readonly Change[];
  /** The test file that must fail. */
  readonly suite: string;
  /** How many cases are enough to find it; CI's number by default. */
  readonly cases?: number;
};

export const changesOf = (mutant: Mutant): readonly Change[] => [mutant, ...(mutant.also ?? [])];
