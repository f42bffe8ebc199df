import type { PublicConfig } from '../../contract/payments.ts';
import { isHeavierSize, LOAD_SIZES, type OrderSize } from '../../domain/orders.ts';

type SizesSold = Pick<PublicConfig, 'largerSizes'> | undefined;

/** The sizes that can be ordered, the smallest first. */
export const sizesSold = (config: SizesSold): readonly OrderSize[] => [
  ...LOAD_SIZES,
  ...(config?.largerSizes ?? []).map(({ size }) => size),
];

/** The sizes that an order can go up to without asking. */
export const sizesAbove = (loadSize: OrderSize, sold: readonly OrderSize[]): readonly OrderSize[] =>
  sold.filter((size) => isHeavierSize(size, loadSize));

/** The highest size that is charged without asking: as the Bud has chosen, and the next size until they do. */
export function limitOf(
  { loadSize, ceilingSize }: { readonly loadSize: OrderSize | undefined; readonly ceilingSize: OrderSize | undefined },
  sold: readonly OrderSize[],
): OrderSize | undefined {
  if (loadSize === undefined) return undefined;
  const above = sizesAbove(loadSize, sold);
  if (ceilingSize === loadSize || (ceilingSize && above.includes(ceilingSize))) return ceilingSize;
  return above[0] ?? loadSize;
}
