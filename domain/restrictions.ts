import type { Role } from './accounts.ts';
import { type DeliveryStatus, isBeforePickup } from './deliveries.ts';
import { DAY_MS } from './durations.ts';
import type { OrderStatus } from './orders.ts';

/** The restrictions that an operator can set on a person. A restriction counts until it is lifted. */
export const RESTRICTION_KINDS = ['sign-in', 'new-work', 'payout'] as const;
export type RestrictionKind = (typeof RESTRICTION_KINDS)[number];

/** What keeps a worker from new work: documents that are not accepted, or a restriction that an operator has set. */
export const HELD_BY = ['documents', 'town'] as const;
export type HeldBy = (typeof HELD_BY)[number];

/** A suspension ends by itself after this time, unless a second operator agrees to keep it longer. */
export const SUSPENDED_FOR_MS = 14 * DAY_MS;
/** How far away the end of a suspension may be. */
export const LONGEST_SUSPENSION_MS = 366 * DAY_MS;

export const SUSPENSION_STATUSES = ['suspended', 'lifted', 'ended'] as const;
export type SuspensionStatus = (typeof SUSPENSION_STATUSES)[number];

/** The choices for a piece of open work when its person is suspended. */
export const WORK_CHOICES = ['finish', 'another', 'cancel'] as const;
export type WorkChoice = (typeof WORK_CHOICES)[number];

/** Whether a suspension keeps a person from signing in by default: not while they have work to finish. */
export const isSignedOutBy = (choices: readonly { readonly choice: WorkChoice }[]): boolean =>
  choices.every(({ choice }) => choice !== 'finish');

/** An open order of a Bud or a Scrub, or the delivery that a Duber is busy with. */
export type OpenWork =
  | { readonly kind: 'order'; readonly status: OrderStatus }
  | { readonly kind: 'delivery'; readonly status: DeliveryStatus };

/** What an operator can choose for a piece of open work. Nobody accepts new work while they are suspended. */
export function choicesFor(role: Role, work: OpenWork): readonly WorkChoice[] {
  if (work.kind === 'delivery') return isBeforePickup(work.status) ? WORK_CHOICES : ['finish'];
  if (role === 'Scrub' && work.status === 'Requested') return ['another', 'cancel'];
  return role === 'Scrub' && work.status === 'Accepted' ? WORK_CHOICES : ['finish', 'cancel'];
}
