import type { Role } from '../domain/accounts.ts';
import type { CreditBearer, MISSED_STATES, UnpaidReason } from '../domain/promises.ts';

// What people read about a promised time that was missed: when it was, who had the laundry, and what that pays.

/** A missed promise, its amount and its times in words. What is not known yet is missing. */
export type ToldPromise = {
  readonly state: (typeof MISSED_STATES)[number];
  readonly amount: string;
  readonly promisedAt: string;
  readonly backAt?: string | undefined;
  readonly holder?: Role | undefined;
  readonly reason?: UnpaidReason | undefined;
  readonly borneBy?: CreditBearer | undefined;
};

const HOLDERS = {
  Bud: { Bud: 'you', Scrub: 'your Scrub', Duber: 'a Duber' },
  Scrub: { Bud: 'the customer', Scrub: 'you', Duber: 'a Duber' },
} as const;

const REASONS: Readonly<Record<'Bud' | 'Scrub', Readonly<Record<UnpaidReason, string>>>> = {
  Bud: {
    'with-bud': 'the laundry was still with you',
    'late-pickup': 'the laundry left you later than agreed',
    'not-home': 'a Duber stood at your door in time',
    cancelled: 'the order was cancelled',
    'nothing-left': 'nothing of the payment is left for it',
  },
  Scrub: {
    'with-bud': 'the laundry was still with the customer',
    'late-pickup': 'the laundry left the customer later than agreed',
    'not-home': 'a Duber stood at the door of the customer in time',
    cancelled: 'the order was cancelled',
    'nothing-left': 'nothing of the payment is left for it',
  },
};

/** What the credit depends on, until it is certain. */
export function owedText(reader: Role, { amount, borneBy }: Pick<ToldPromise, 'amount' | 'borneBy'>): string {
  if (reader === 'Bud')
    return `In about a day ${amount} goes back to your card by itself, unless you gave the laundry away late or did not open the door.`;
  const bears =
    borneBy === 'holder' ? 'Who had the laundry then bears it, and can contest that once.' : 'The town bears it.';
  return `In about a day ${amount} goes back to the card of the customer, unless the delay was theirs. ${bears}`;
}

function paidText(reader: 'Bud' | 'Scrub', { amount, holder, borneBy }: ToldPromise): string {
  if (reader === 'Bud') return `${amount} goes back to your card.`;
  const back = `${amount} goes back to the card of the customer`;
  if (borneBy !== 'holder') return `${back}. The town bears it.`;
  return holder === 'Scrub'
    ? `${back}, from what you have earned. You can contest that once, among your problems.`
    : `${back}. The Duber bears it.`;
}

function unpaidText(reader: 'Bud' | 'Scrub', { reason = 'nothing-left' }: ToldPromise): string {
  const claim = reader === 'Bud' && reason !== 'cancelled' ? ' If that is wrong, report a problem.' : '';
  return `Nothing goes back for that: ${REASONS[reader][reason]}.${claim}`;
}

/** Why something goes back or not, with the times. */
export function missedPromiseText(reader: 'Bud' | 'Scrub', told: ToldPromise): string {
  const { state, promisedAt, backAt, holder } = told;
  if (state === 'kept')
    return `It was promised by ${promisedAt}, and back in time${backAt ? `, ${backAt}` : ''}: a phone without a network said so later.`;
  const times = `It was promised by ${promisedAt}, and ${backAt ? `came back ${backAt}` : 'is not back yet'}.`;
  if (state === 'owed') return `${times} ${owedText(reader, told)}`;
  const whoHad = holder ? ` Then ${HOLDERS[reader][holder]} had the laundry.` : '';
  return `${times}${whoHad} ${state === 'paid' ? paidText(reader, told) : unpaidText(reader, told)}`;
}
