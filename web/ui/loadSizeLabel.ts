import { type OrderSize, SIZE_POUNDS } from '../../domain/orders.ts';

/** 'Small (1-2 lbs)', 'Medium (3-5 lbs)' and 'Large (6-8 lbs)', as in spec 9. */
export function loadSizeLabel(size: OrderSize): string {
  const { from, to } = SIZE_POUNDS[size];
  return `${size} (${from}-${to} lbs)`;
}
