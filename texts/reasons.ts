import type { ReasonOf, TownReason } from '../domain/needs.ts';

// Why a step was taken, in words. A new reason does not compile without its words.

/** The reasons that people choose from, as they say them. */
export const REASON_TEXTS: Readonly<
  Record<
    ReasonOf<'drop-delivery' | 'pickup-failed' | 'drop-failed' | 'cancel-accepted' | 'give-back' | 'propose-window'>,
    string
  >
> = {
  breakdown: 'My vehicle broke down',
  ill: 'I am not well',
  unsafe: 'It is not safe',
  'too-far': 'It is too far',
  'nobody-home': 'Nobody is here',
  'nothing-there': 'There is nothing to collect',
  'no-access': 'I cannot get in',
  'not-laundry': 'This is not laundry',
  refused: 'They do not want it',
  'changed-mind': 'I changed my mind',
  'wrong-address': 'The address is wrong',
  'too-slow': 'It takes too long',
  'too-busy': 'I have too much to do',
  'machine-broken': 'My machine is broken',
  away: 'I am not there then',
  other: 'Something else',
};

/** Every reason, as the town reads it. */
export const TOWN_REASON_TEXTS: Readonly<Record<TownReason, string>> = {
  silent: 'The Duber does not answer',
  asked: 'Somebody has asked for it',
  'no-phone': 'A phone does not work',
  mistake: 'It was pressed by mistake',
  unsafe: 'It is not safe',
  breakdown: 'The vehicle broke down',
  ill: 'The Duber is not well',
  'order-ended': 'The order has ended',
  lost: 'The laundry is lost',
  stolen: 'It was stolen',
  fraud: 'Fraud',
  'nobody-can': 'Nobody can do it',
  'not-clean': 'It is not clean',
  'nobody-home': 'Nobody was home',
  'nothing-there': 'There was nothing to collect',
  'no-access': 'There was no way in',
  'not-laundry': 'It was not laundry',
  refused: 'They did not want it',
  'too-far': 'It was too far',
  'changed-mind': 'They changed their mind',
  'wrong-address': 'The address was wrong',
  'too-slow': 'It took too long',
  'too-busy': 'Too much to do',
  'machine-broken': 'The machine is broken',
  away: 'Nobody is there then',
  other: 'Something else',
};

/** The reason of an operator's step in words. */
export const townReasonText = (why: string): string =>
  (TOWN_REASON_TEXTS as Readonly<Record<string, string>>)[why] ?? why;
