// Tricks that took more than the bounds before the platform had any. Gangs know them.

import type { Role } from '../../domain/accounts.ts';
import type { Preset } from '../../domain/policies.ts';
import type { GangKind } from './gangGroup.ts';
import { type Move, type Placing, SOON_MS, type Wait } from './gangSteps.ts';
import { type Choice, chooseWell, OPENINGS, VERBS } from './gangVerbs.ts';

export type Trick = {
  readonly name: string;
  readonly kind: GangKind;
  readonly preset: Preset;
  readonly weeks: number;
  /** How many friends order. From the third claim of a Bud on, the town decides. */
  readonly buds: number;
  /** With how many orders each of them does it. */
  readonly orders: number;
  readonly placing: Placing;
  readonly moves: readonly Move[];
};

function move(role: Role, name: string, choice?: Choice, wait: Wait = SOON_MS): Move {
  const verb = VERBS.find((one) => one.name === name && one.role === role);
  if (!verb) throw new Error(`no ${role} can ${name}`);
  return { wait, member: `${role} 1`, verb, choice: choice ?? chooseWell(verb) };
}

const isVerbOf = (name: string, role: Role) => VERBS.some((one) => one.name === name && one.role === role);

/** Steps of a good day. Each is one role's. */
const goodMoves = (names: readonly string[]): Move[] =>
  names.map((name) => move(isVerbOf(name, 'Scrub') ? 'Scrub' : 'Duber', name));

const MEDIUM: Placing = { size: 'Medium', hasPromo: false, selfDelivery: false, selfPickup: false };
/** An order for a lot of money. */
const FAMILY: Placing = { ...MEDIUM, size: 'Family' };
const SMALL: Placing = { ...MEDIUM, size: 'Small' };
const CLAIM: Choice = { itemKind: 'missing', share: 1, hasPhoto: true };
const ONCE_MORE = OPENINGS.delivered.filter((name) => name !== 'accept-order' && name !== 'weigh');
const ROUNDS = 2;

export const TRICKS: readonly Trick[] = [
  {
    name: 'a Scrub gives the order back while a friend is on the way',
    ...{ kind: 'friends', preset: 'open', weeks: 1, buds: 1, orders: 6, placing: MEDIUM },
    moves: [
      ...goodMoves(OPENINGS['on the way']),
      move('Scrub', 'give-back', { reason: 'ill' }),
      move('Bud', 'cancel-order'),
    ],
  },
  {
    name: 'a Duber says of every pickup that it was not safe',
    ...{ kind: 'strangers', preset: 'open', weeks: 1, buds: 1, orders: 4, placing: MEDIUM },
    moves: [
      ...goodMoves(OPENINGS['on the way']),
      move('Duber', 'arrived-at-pickup', { isNear: true }),
      move('Duber', 'pickup-failed', { reason: 'unsafe' }),
      move('Bud', 'cancel-accepted', { reason: 'too-slow' }),
    ],
  },
  {
    name: 'workers are paid out, and then give everything back to the card of a friend',
    ...{ kind: 'friends', preset: 'open', weeks: 2, buds: 1, orders: 2, placing: FAMILY },
    moves: [
      ...goodMoves(OPENINGS.delivered),
      move('Bud', 'claim', CLAIM, 'Monday'),
      move('Scrub', 'answer', { offer: 'give-back', share: 1 }),
      move('Bud', 'accept-offer', {}),
    ],
  },
  {
    name: 'a Scrub without money cleans again and again, and a friend drives',
    ...{ kind: 'friends', preset: 'open', weeks: 1, buds: 3, orders: 1, placing: SMALL },
    moves: [
      ...goodMoves(OPENINGS.delivered),
      ...Array.from({ length: ROUNDS }, () => [
        move('Bud', 'claim', { ...CLAIM, itemKind: 'stained' }),
        move('Scrub', 'answer', { offer: 'clean-again' }),
        move('Bud', 'accept-offer', {}),
        ...goodMoves(ONCE_MORE),
      ]).flat(),
    ],
  },
  {
    name: 'after five wrong PINs, a photo of anything proves that it was delivered',
    ...{ kind: 'strangers', preset: 'careful', weeks: 1, buds: 1, orders: 4, placing: MEDIUM },
    moves: [
      ...goodMoves(OPENINGS.carried),
      move('Duber', 'delivered', { pin: 'five wrong', hasPhoto: true, isNear: false, bags: 2 }),
    ],
  },
  {
    name: 'a Bud cancels while a friend is on the way',
    ...{ kind: 'friends', preset: 'open', weeks: 1, buds: 1, orders: 6, placing: MEDIUM },
    moves: [...goodMoves(OPENINGS['on the way']), move('Bud', 'cancel-accepted', { reason: 'changed-mind' })],
  },
  {
    name: 'a Scrub gives back to a friend what each order has earned',
    ...{ kind: 'friends', preset: 'open', weeks: 1, buds: 1, orders: 2, placing: FAMILY },
    moves: [
      ...goodMoves(OPENINGS.delivered),
      move('Bud', 'claim', CLAIM),
      move('Scrub', 'answer', { offer: 'give-back', share: 0.55 }),
      move('Bud', 'accept-offer', {}),
    ],
  },
];
