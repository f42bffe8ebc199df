import type { Receipt } from '../../contract/payments.ts';
import { ORDER_GROUPS, type OrderStatus } from '../../domain/orders.ts';

type Movement = Receipt['movements'][number];

const MOVEMENT_TEXTS: Record<Movement['kind'], string> = {
  held: 'Held on your card',
  charged: 'Charged',
  released: 'Released',
  refunded: 'Refunded',
};

/** What happened on the card, and why money went back. */
export const movementText = ({ kind, reason }: Pick<Movement, 'kind' | 'reason'>): string =>
  reason === undefined ? MOVEMENT_TEXTS[kind] : `${MOVEMENT_TEXTS[kind]}: ${reason}`;

const PENDING_TEXTS = {
  charge: 'The charge is on its way.',
  release: 'The hold is being released. You are not charged.',
} as const satisfies Record<NonNullable<Receipt['pending']>, string>;

const CHARGED_TOO_LATE = 'The charge is on its way. You do not pay for work that was not done.';

/** What the movements mean so far, in one line. */
export function describePayment(receipt: Receipt, status: OrderStatus): string {
  const { movements, pending } = receipt;
  if (pending === 'charge' && ORDER_GROUPS[status] === 'cancelled') return CHARGED_TOO_LATE;
  if (pending !== null) return PENDING_TEXTS[pending];
  const kinds = movements.map(({ kind }) => kind);
  const count = (wanted: Movement['kind']) => kinds.filter((kind) => kind === wanted).length;
  // A hold that another one has taken the place of is released, too.
  if (count('released') >= count('held')) return 'You were not charged.';
  if (!kinds.includes('charged')) return 'Nothing is charged yet.';
  if (!kinds.includes('refunded')) return 'Paid. Thank you!';
  return paidTotal(receipt) === 0 ? 'All of it went back to your card.' : 'Paid, with a refund.';
}

const inCents = (amount: number) => Math.round(amount * 100);

/** What the Bud has paid in the end: what was charged, less refunds. In dollars. */
export function paidTotal({ movements }: Receipt): number {
  const sumOf = (wanted: Movement['kind']) =>
    movements.filter(({ kind }) => kind === wanted).reduce((sum, { amount }) => sum + inCents(amount), 0);
  return (sumOf('charged') - sumOf('refunded')) / 100;
}
