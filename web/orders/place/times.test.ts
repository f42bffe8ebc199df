import { expect, test } from 'vitest';
import type { WindowOffer, WindowOffers } from '../../../contract/windows.ts';
import { choosePickup, firstTimes, keepOffered, possiblePickups, returnsAfter, timesText } from './times.ts';

const offer = (start: string, left: WindowOffer['left'] = 'many'): WindowOffer => {
  const from = new Date(`2026-12-${start}:00.000Z`);
  return { from: from.toISOString(), until: new Date(from.getTime() + 2 * 3_600_000).toISOString(), left };
};
const OFFERS: WindowOffers = {
  ...{ timeZone: 'UTC', fastest: 'same-day' },
  pickup: [offer('01T08:00', 'none'), offer('01T17:00', 'few'), offer('02T08:00')],
  return: [offer('01T17:00'), offer('02T17:00'), offer('03T17:00')],
  costsMore: { 'next-day': 10, 'same-day': 20 },
};
const starts = (spans: readonly { readonly from: string }[]) => spans.map(({ from }) => from.slice(8, 13));

test('a full window is no choice, and neither is a return that leaves no time to wash', () => {
  expect(starts(possiblePickups(OFFERS))).toEqual(['01T17', '02T08']);
  expect(starts(returnsAfter(offer('01T17:00'), OFFERS))).toEqual(['02T17', '03T17']);
});

test('the first times are the first pickup with a place, and the first return that costs nothing more', () => {
  const times = firstTimes(OFFERS);
  expect([times?.pickup.from, times?.return.from].map((from) => from?.slice(8, 13))).toEqual(['01T17', '03T17']);
});

test('another pickup keeps the return as long as that is possible', () => {
  const later = choosePickup(offer('02T08:00'), OFFERS, offer('02T17:00'));
  expect(later?.return.from.slice(8, 13)).toBe('02T17');
  const tooEarly = choosePickup(offer('01T17:00'), OFFERS, offer('01T17:00'));
  expect(tooEarly?.return.from.slice(8, 13)).toBe('03T17');
});

test('times that are no longer offered are lost, and not changed in silence', () => {
  const times = firstTimes(OFFERS);
  expect(keepOffered(times, OFFERS)).toBe(times);
  expect(keepOffered(times, undefined)).toBe(times);
  expect(keepOffered(times, { ...OFFERS, pickup: [] })).toBe('lost');
  expect(keepOffered(undefined, OFFERS)).toBeUndefined();
});

test('chosen times are one line', () => {
  const times = firstTimes(OFFERS);
  const text = times && timesText(times, 'UTC', new Date('2026-12-01T12:00:00Z'));
  expect(text?.replaceAll('\u00a0', ' ')).toBe('Today, 5–7 pm, back Thu, 5–7 pm');
});
