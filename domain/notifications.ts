import type { Role } from './accounts.ts';

/** The ways a message reaches somebody who is not looking at the screen. */
export const CHANNELS = ['mail', 'push'] as const;
export type Channel = (typeof CHANNELS)[number];

export const NOTICE_KINDS = ['placed', 'accepted', 'rejected', 'expired', 'delivered', 'payout', 'nearby'] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

export type Choice = { readonly mail: boolean; readonly push: boolean };

/**
 * Each kind of message: who gets it, and by which ways as long as they chose nothing else. Push costs nobody anything
 * before a device is subscribed, so it is on everywhere; a mail about a delivery nearby comes too late more often than not.
 */
export const NOTICES: Record<NoticeKind, { readonly to: readonly Role[]; readonly usual: Choice }> = {
  placed: { to: ['Bud', 'Scrub'], usual: { mail: true, push: true } },
  accepted: { to: ['Bud'], usual: { mail: true, push: true } },
  rejected: { to: ['Bud'], usual: { mail: true, push: true } },
  expired: { to: ['Bud', 'Scrub'], usual: { mail: true, push: true } },
  delivered: { to: ['Bud', 'Scrub'], usual: { mail: true, push: true } },
  payout: { to: ['Scrub', 'Duber'], usual: { mail: true, push: true } },
  nearby: { to: ['Duber'], usual: { mail: false, push: true } },
};

/** The kinds of messages that people of a role get, in the order in which they are shown. */
export function kindsFor(role: Role): NoticeKind[] {
  return NOTICE_KINDS.filter((kind) => NOTICES[kind].to.includes(role));
}

type Words = { readonly name: string; readonly when: string };

const WORDS: Record<NoticeKind, (role: Role) => Words> = {
  placed: (role) =>
    role === 'Bud'
      ? { name: 'Order receipts', when: 'Your order was placed and your card is held' }
      : { name: 'New jobs', when: 'A Bud asks you to do their laundry' },
  accepted: () => ({ name: 'Accepted orders', when: 'A Scrub takes your order' }),
  rejected: () => ({ name: 'Rejected orders', when: 'A Scrub cannot take your order' }),
  expired: (role) =>
    role === 'Bud'
      ? { name: 'Unanswered orders', when: 'Nobody answered your order within a day' }
      : { name: 'Missed jobs', when: 'A job ran out because you did not answer it within a day' },
  delivered: (role) =>
    role === 'Bud'
      ? { name: 'Deliveries', when: 'Your laundry reaches your Scrub, or you' }
      : { name: 'Deliveries', when: 'Laundry reaches you, or goes back to its Bud' },
  payout: () => ({ name: 'Payouts', when: 'Your weekly payout is made' }),
  nearby: () => ({ name: 'Deliveries near you', when: 'A delivery waits within 5 km of your address' }),
};

/** What a kind of message is called for people of a role, and when it comes. */
export function wordsFor(kind: NoticeKind, role: Role): Words {
  return WORDS[kind](role);
}
