import type { Role } from '../../domain/accounts.ts';
import type { Random } from '../../testing/random.ts';
import type { Knowledge } from '../checks/knowledge.ts';
import type { CityClock } from './cityClock.ts';
import type { Phone } from './phone.ts';
import type { PromoBoard } from './promoBoard.ts';
import type { PushDevice } from './pushDevice.ts';
import type { TouchedBoard } from './touchedBoard.ts';
import type { Traits } from './traits.ts';

/** One of the simulated people. */
export type Person = {
  /** As findings name them: "Bud 3". */
  readonly name: string;
  readonly role: Role;
  readonly id: string;
  readonly email: string;
  readonly token: string;
  readonly addressId: string;
  /** Gets the pushes to this person. Undefined for people who get none. */
  readonly pushDevice: PushDevice | undefined;
  readonly place: { readonly latitude: number; readonly longitude: number };
  /** Decides what they do. Each person has a stream of their own, so that one more person changes nobody else's. */
  readonly random: Random;
  readonly traits: Traits;
  readonly phone: Phone;
  readonly knowledge: Knowledge;
  /** How many orders this Scrub has completed, or deliveries this Duber has delivered. */
  finished: number;
  /** How often this Bud has typed a promo code that nobody has made. */
  wrongCodes: number;
  /** The promo codes that people know of. */
  readonly promos: PromoBoard;
  /** The orders that somebody who closes has to ask about. */
  readonly touched: TouchedBoard;
  /** The mails in this person's inbox, the newest first. */
  readMails(): Promise<readonly { readonly text: string }[]>;
  /** Counts for the report. */
  count(what: string, by?: number): void;
  /** Goes on with the device of this person that is at hand now. */
  changeDevice(): void;
  readonly clock: CityClock;
  readonly policy: 'open' | 'careful';
  /** Reports what this person saw and should not have seen. */
  report(promise: string, what: string, about: readonly string[]): void;
};

/** Something that somebody may do now, and how likely they are to choose it. */
export type Act = { readonly weight: number; readonly run: () => Promise<unknown> };

/** Does one of these, or nothing. */
export async function chooseAct(random: Random, acts: readonly Act[], nothing: number): Promise<void> {
  let left = random() * acts.reduce((sum, { weight }) => sum + weight, nothing);
  for (const { weight, run } of acts) {
    left -= weight;
    if (left < 0) {
      await run();
      return;
    }
  }
}

/** One of these at random. */
export const pick = <T>(random: Random, list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];
