import type { OrderSize } from '../../domain/orders.ts';

// The first three are spec 9.
const LOAD_SIZE_LABELS: Record<OrderSize, string> = {
  Small: 'Small (1-2 lbs)',
  Medium: 'Medium (3-5 lbs)',
  Large: 'Large (6-8 lbs)',
  XL: 'XL (9-15 lbs)',
  XXL: 'XXL (16-25 lbs)',
  Family: 'Family (26-40 lbs)',
};

/** 'Small (1-2 lbs)'. */
export const loadSizeLabel = (size: OrderSize): string => LOAD_SIZE_LABELS[size];
