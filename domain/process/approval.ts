import { APPROVAL_EXPIRES_AFTER_MS, type ApprovalState, AUTO_APPROVAL_AFTER_MS } from '../approvals.ts';
import type { Need } from '../needs.ts';
import { type Actor, rowsOfTimers, type Transition } from '../workflow.ts';

// The life of a request that needs a second operator: it is stored as `waiting`, and ends with one of these rows.

/** A row of a request for approval, as the server takes it. */
export type ApprovalRow = Transition<
  'approve' | 'decline' | 'withdraw' | 'asker-left' | 'stop' | 'ripen' | 'expire',
  ApprovalState,
  Actor
> & {
  /** The act that was asked for happens, in the name of the asker. It writes its own row in the audit. */
  readonly runs?: 'act';
  /** The audit says that it does not happen. */
  readonly audits?: 'decline' | 'withdraw' | 'stop' | 'expire';
  /** The town reads that the act has happened although nobody approved it. */
  readonly notifies?: 'town';
};

const END = { from: 'waiting' } as const;
/** Another operator with the same right, who has entered a code where the act takes one. */
const OTHER_OPERATOR = ['known-act', 'signed-in', 'right', 'not-the-asker', 'not-about-them', 'fresh-code'] as const;

export const APPROVAL_ROWS = [
  {
    ...END,
    action: 'approve',
    to: 'approved',
    by: 'Operator',
    needs: [...OTHER_OPERATOR, 'asker-may-still'],
    runs: 'act',
  },
  { ...END, action: 'decline', to: 'declined', by: 'Operator', needs: OTHER_OPERATOR, audits: 'decline' },
  { ...END, action: 'withdraw', to: 'withdrawn', by: 'Operator', needs: ['the-asker'], audits: 'withdraw' },
  // The audit of the act that ends the account of the asker says how many requests end with it.
  { ...END, action: 'asker-left', to: 'withdrawn', by: 'Operator' },
  // Anyone with the link of the mail to the owner of the town.
  { ...END, action: 'stop', to: 'declined', by: 'System', audits: 'stop' },
  // Automatic approval in a town with one operator.
  {
    ...END,
    action: 'ripen',
    to: 'approved',
    by: 'System',
    after: AUTO_APPROVAL_AFTER_MS,
    needs: ['stop-mailed', 'one-operator', 'asker-may-still'],
    runs: 'act',
    notifies: 'town',
  },
  { ...END, action: 'expire', to: 'expired', by: 'System', after: APPROVAL_EXPIRES_AFTER_MS, audits: 'expire' },
] as const satisfies readonly ApprovalRow[];

export const APPROVAL_TIMER_ROWS = rowsOfTimers(APPROVAL_ROWS);

/** What the needs look at. A need holds while its fact is unknown. */
export type ApprovalFacts = {
  readonly isActKnown?: boolean;
  /** Whether the caller is still an operator with this session, and has the right to the act. */
  readonly isSignedIn?: boolean;
  readonly hasRight?: boolean;
  readonly isAsker?: boolean;
  readonly isAboutThem?: boolean;
  /** Whether the caller has entered a code a short while ago, or needs none. */
  readonly isCodeFresh?: boolean;
  /** Whether the asker is still an operator who may ask for the act. */
  readonly mayAskerAsk?: boolean;
  /** Whether the mail with the link that stops it was sent. */
  readonly isStopMailed?: boolean;
  /** Whether the town has one operator, and had no other recently who could have declined. */
  readonly isOneOperator?: boolean;
};

export const APPROVAL_NEEDS = {
  'known-act': ({ isActKnown }) => isActKnown !== false,
  'signed-in': ({ isSignedIn }) => isSignedIn !== false,
  right: ({ hasRight }) => hasRight !== false,
  'not-the-asker': ({ isAsker }) => isAsker !== true,
  'not-about-them': ({ isAboutThem }) => isAboutThem !== true,
  'fresh-code': ({ isCodeFresh }) => isCodeFresh !== false,
  'the-asker': ({ isAsker }) => isAsker !== false,
  'asker-may-still': ({ mayAskerAsk }) => mayAskerAsk !== false,
  'stop-mailed': ({ isStopMailed }) => isStopMailed !== false,
  'one-operator': ({ isOneOperator }) => isOneOperator !== false,
} as const satisfies Partial<Record<Need, (facts: ApprovalFacts) => boolean>>;
