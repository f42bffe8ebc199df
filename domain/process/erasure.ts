import { ROLES } from '../accounts.ts';
import { COOLING_MS, type ErasureBlocker, type ErasureStatus, KEPT_BY_LAW_MS } from '../erasures.ts';
import type { Need } from '../needs.ts';
import { type Actor, rowsOfTimers, type Transition } from '../workflow.ts';

// How an account is erased: its owner asks, has two weeks to change their mind, and then the server erases it.

/** A row of an erasure, as the server takes it. */
export type ErasureRow = Transition<'ask-erase' | 'keep-account' | 'erase' | 'forget', ErasureStatus, Actor> & {
  /** The person is signed out everywhere, disappears from searches and gets no new work, or the restriction ends. */
  readonly hides?: 'person';
  readonly shows?: 'person';
  /** The personal data of the person, by the map in domain/personal.ts, or what the law had kept of them. */
  readonly erases?: 'person' | 'record';
  readonly notifies?: 'asked' | 'kept';
};

/**
 * Others still need a person who has laundry, money or a problem under way. A suspension ends by itself: until then nobody leaves it
 * behind with a new account.
 */
const NOTHING_OPEN = [
  'no-open-order',
  'no-open-delivery',
  'no-open-case',
  'no-open-payment',
  'no-balance',
  'no-suspension',
] as const;

const ASKED = {
  action: 'ask-erase',
  from: 'active',
  to: 'cooling',
  needs: NOTHING_OPEN,
  hides: 'person',
  notifies: 'asked',
} as const;

export const ERASURE_ROWS = [
  ...ROLES.map((by) => ({ ...ASKED, by })),
  // On a letter of the person. A second operator has approved it.
  { ...ASKED, by: 'Operator' },
  ...ROLES.map(
    (by) => ({ action: 'keep-account', from: 'cooling', to: 'active', by, shows: 'person', notifies: 'kept' }) as const,
  ),
  {
    action: 'erase',
    from: 'cooling',
    to: 'erased',
    by: 'System',
    after: COOLING_MS,
    needs: NOTHING_OPEN,
    erases: 'person',
  },
  // Something was found open since, such as a chargeback: the server tries again later.
  { action: 'erase', from: 'cooling', to: 'cooling', by: 'System' },
  { action: 'forget', from: 'erased', to: 'forgotten', by: 'System', after: KEPT_BY_LAW_MS, erases: 'record' },
] as const satisfies readonly ErasureRow[];

export const ERASURE_TIMER_ROWS = rowsOfTimers(ERASURE_ROWS);

/** What the needs look at: how much of each kind is open. */
export type ErasureFacts = { readonly open: readonly ErasureBlocker[] };

export const ERASURE_NEEDS = {
  'no-open-order': ({ open }) => !open.includes('order'),
  'no-open-delivery': ({ open }) => !open.includes('delivery'),
  'no-open-case': ({ open }) => !open.includes('case'),
  'no-open-payment': ({ open }) => !open.includes('payment'),
  'no-balance': ({ open }) => !open.includes('balance'),
  'no-suspension': ({ open }) => !open.includes('suspension'),
} as const satisfies Partial<Record<Need, (facts: ErasureFacts) => boolean>>;
