import { HOUR_MS, MINUTE_MS } from '../domain/durations.ts';
import { CREDIT_BEARERS, type CreditBearer } from '../domain/promises.ts';
import { chooseWeighted, type Random } from '../testing/random.ts';

// Lives of orders with a promised time, and by a model of its own who pays when it is missed. Times are in milliseconds.

/** The promised time of an order, and the windows that were agreed on with it. */
export type Agreed = {
  readonly pickupFrom: number;
  readonly pickupUntil: number;
  readonly returnFrom: number;
  readonly promisedAt: number;
};

/**
 * What happens at the door of the Bud when the laundry comes back. `photo`: nobody opens, and a photo says so. `unsafe`: the Duber leaves at
 * once. `mistake`: the Duber says that it is delivered, and takes that back.
 */
const DOORS = { silent: 5, arrives: 3, photo: 2, unsafe: 1, mistake: 2 };
type Door = keyof typeof DOORS;
/** How a life ends besides: the town cancels it while the Scrub has the laundry, or it is cleaned again. */
const ENDS = { as: 7, cancelled: 1, again: 1 };

export type Life = {
  /** The credit that the town promises when the order is placed, and the credit that it sets afterwards. */
  readonly credit: CreditBearer | null;
  readonly creditLater: CreditBearer | null;
  readonly isBroughtByBud: boolean;
  readonly isOffline: { readonly there: boolean; readonly back: boolean };
  readonly door: Door;
  readonly end: keyof typeof ENDS;
  /** When the laundry comes to the first Duber, to the Scrub, and when the Scrub is done, which the phone of the Duber has sent by then. */
  readonly toDuber: number;
  readonly toScrub: number;
  readonly done: number;
  /** When the next Duber gets it, stands at the door the first time, and when the Bud has it back. */
  readonly toDuberAgain: number;
  readonly arrived: number;
  readonly back: number;
  readonly cancelled: number;
  /** Whether the timers run at each time, which they do only while a server is up. */
  readonly runsTimers: () => boolean;
};

export function drawLife({ pickupFrom, pickupUntil, promisedAt }: Agreed, random: Random): Life {
  const upTo = (hours: number) => Math.ceil(random() * hours * 60) * MINUTE_MS;
  const isPunctual = random() < 0.85;
  const toDuber = (isPunctual ? pickupFrom : pickupUntil) + upTo(isPunctual ? 2 : 6) - (isPunctual ? MINUTE_MS : 0);
  const toScrub = toDuber + upTo(random() < 0.2 ? 30 : 4);
  const done = toScrub + upTo(4);
  const toDuberAgain = Math.max(done, promisedAt - 2 * HOUR_MS) + upTo(4);
  const arrived = toDuberAgain + 10 * MINUTE_MS + upTo(1);
  const bearer = () => (random() < 0.1 ? null : (CREDIT_BEARERS[Math.floor(random() * 2)] ?? null));
  const door = chooseWeighted(random, DOORS);
  const isPrompt = random() < 0.5 && door === 'arrives';
  return {
    ...{ credit: bearer(), creditLater: bearer(), isBroughtByBud: random() < 0.15 },
    isOffline: { there: random() < 0.5, back: random() < 0.5 && door === 'silent' },
    ...{ door, end: chooseWeighted(random, ENDS) },
    ...{ toDuber, toScrub, done, toDuberAgain, arrived },
    back: door === 'silent' ? arrived : arrived + (isPrompt ? 2 * MINUTE_MS : 10 * MINUTE_MS + upTo(2)),
    cancelled: Math.min(done + upTo(40), promisedAt + 24 * HOUR_MS),
    runsTimers: () => random() < 0.5,
  };
}

/** Who pays the credit, or why nobody does. `nothing`: none was owed in the end, or it was kept. */
export type Outcome = 'nothing' | 'with-bud' | 'late-pickup' | 'not-home' | 'platform' | 'scrub' | 'duber';

export function outcomeOf(life: Life, { pickupUntil, returnFrom, promisedAt }: Agreed): Outcome {
  const { credit, door, end, isBroughtByBud, toDuber, toScrub, toDuberAgain, arrived, back } = life;
  if (credit === null || end === 'cancelled' || back <= promisedAt) return 'nothing';
  const given = isBroughtByBud ? toScrub : toDuber;
  if (given > promisedAt) return 'with-bud';
  if (given > pickupUntil) return 'late-pickup';
  const isWaitedFor = door === 'photo' || (door === 'arrives' && back <= arrived + 5 * MINUTE_MS);
  if (isWaitedFor && arrived >= returnFrom && arrived <= promisedAt) return 'not-home';
  if (credit === 'town') return 'platform';
  if (toDuberAgain <= promisedAt) return 'duber';
  return toScrub <= promisedAt ? 'scrub' : 'duber';
}
