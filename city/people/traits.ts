import type { Random } from '../../testing/random.ts';

/** The character of a person. Shares are from 0 to 1. */
export type Traits = {
  /** Simulated minutes between two actions. */
  readonly actsEvery: number;
  /** The share of presses that are doubled. */
  readonly clumsiness: number;
  /** The share of requests that never arrive, and of answers that get lost on the way back. */
  readonly badNetwork: number;
  /** The share of cards that are declined. */
  readonly declinedCards: number;
  /** How often this person cancels, drops, gives back or does not answer. */
  readonly unreliability: number;
  /** What a Bud pays for an order at most, in dollars. */
  readonly budget: number;
  /** How often this person says that something is stained. */
  readonly complaints: number;
  /** How often this person uses their other device. */
  readonly otherDevice: number;
  /** How often this person tries what is not allowed. */
  readonly mischief: number;
  /** How likely this person is to get pushes on a device. */
  readonly pushes: number;
  /** The share of orders for which a Bud chooses times, where the town has windows. */
  readonly plans: number;
  /** How far ahead this person plans, and how long the laundry may take. */
  readonly patience: number;
  /** How likely a Scrub is to say when they work, and how much. */
  readonly hasWeek: number;
};

/** What the first person of each role is like, so that even a small city has somebody of every kind of trouble. */
export const TROUBLEMAKER: Partial<Traits> = {
  clumsiness: 0.3,
  badNetwork: 0.2,
  unreliability: 0.35,
  complaints: 0.5,
  otherDevice: 0.5,
  mischief: 0.6,
  pushes: 1,
};

/** Most people are good at most things. */
const mostly = (random: Random, most: number) => random() ** 3 * most;

export function createTraits(random: Random): Traits {
  return {
    actsEvery: 2 + random() * 6,
    clumsiness: mostly(random, 0.3),
    badNetwork: mostly(random, 0.25),
    declinedCards: mostly(random, 0.4),
    unreliability: mostly(random, 0.35),
    budget: 20 + random() * 60,
    complaints: mostly(random, 0.5),
    otherDevice: mostly(random, 0.6),
    mischief: mostly(random, 0.4),
    pushes: 0.6,
    plans: random(),
    patience: random(),
    hasWeek: 0.6,
  };
}
