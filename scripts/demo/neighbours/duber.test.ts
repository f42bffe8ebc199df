import { expect, it } from 'vitest';
import type { DeliveryStatus } from '../../../domain/deliveries.ts';
import { type Drive, planDelivery, planOffer } from './duber.ts';
import { TIMES } from './times.ts';

const SINCE = Date.parse('2026-11-23T10:00:00Z');
const NEIGHBOUR = 'a neighbour who washes';
const town = { since: SINCE, pace: 1, isNeighbour: (id: string) => id === NEIGHBOUR };
const at = (ms: number) => [{ createdAt: new Date(SINCE + ms).toISOString() }];
const offerOf = (id: string, waitsSince: number, scrubId = NEIGHBOUR) => ({
  ...{ id, scrubId, statusHistory: at(waitsSince) },
});

it('a Duber takes an offer half a minute after it waits, so that a visitor can take it first', () => {
  const plan = planOffer([offerOf('one', 0)], 'me', town);
  expect(plan?.deliveryId).toBe('one');
  expect(plan?.at).toBeGreaterThanOrEqual(SINCE + 30_000);
  expect(plan?.at).toBeLessThan(SINCE + TIMES.letOthersFirst.to);
});

it('a Duber never takes the offer of a Scrub whom a visitor plays, nor one of the history', () => {
  expect(planOffer([offerOf('one', 0, 'a visitor')], 'me', town)).toBeUndefined();
  expect(planOffer([offerOf('one', -1)], 'me', town)).toBeUndefined();
  expect(planOffer([], 'me', town)).toBeUndefined();
});

it('of several offers a Duber takes the one that waits the longest, and two Dubers are not equally fast', () => {
  const offers = [offerOf('new', 60_000), offerOf('old', 0)];
  expect(planOffer(offers, 'me', town)?.deliveryId).toBe('old');
  expect(planOffer(offers, 'me', town)?.at).not.toBe(planOffer(offers, 'she', town)?.at);
});

const NOW = SINCE + 100_000;
const planAt = (status: DeliveryStatus, drive?: Partial<Drive>) => {
  const delivery = { id: 'mine', status, statusHistory: at(90_000) };
  const way = drive && { deliveryId: 'mine', status, startedAt: NOW, ...drive };
  return planDelivery(delivery, way, { now: NOW, pace: 1 });
};

it('a Duber sets off, drives, and takes the next step at the end of the way', () => {
  expect(planAt('Accepted')).toMatchObject({ act: 'way-to-pickup' });
  expect(planAt('Way_To_Pick')).toEqual({ act: 'set-off' });
  expect(planAt('Way_To_Pick', {})).toEqual({ act: 'drive', fraction: 0 });
  expect(planAt('Way_To_Pick', { startedAt: NOW - TIMES.drive / 2 })).toEqual({ act: 'drive', fraction: 0.5 });
  expect(planAt('Way_To_Pick', { startedAt: NOW - TIMES.drive })).toEqual({ act: 'collect', at: NOW });
  expect(planAt('Collected')).toMatchObject({ act: 'way-to-drop' });
  expect(planAt('Way_To_Drop', { startedAt: NOW - TIMES.drive })).toEqual({ act: 'deliver', at: NOW });
  expect(planAt('Way_Back', { startedAt: NOW - TIMES.drive })).toEqual({ act: 'brought-back', at: NOW });
});

it('a Duber who has forgotten the way, as after a restart, sets off again', () => {
  expect(planAt('Way_To_Drop')).toEqual({ act: 'set-off' });
  expect(planAt('Way_To_Drop', { status: 'Way_To_Pick', startedAt: 0 })).toEqual({ act: 'set-off' });
  expect(planAt('Way_To_Drop', { deliveryId: 'of yesterday', startedAt: 0 })).toEqual({ act: 'set-off' });
});

it('a Duber waits where somebody else decides', () => {
  for (const status of ['Pending', 'Delivered', 'Failed', 'Returned', 'Called_Off'] as const)
    expect(planAt(status)).toBeUndefined();
});
