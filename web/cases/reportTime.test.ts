import { expect, test } from 'vitest';
import { ITEM_KINDS } from '../../domain/cases.ts';
import { CLAIM_WITHIN_MS, MISSING_WITHIN_MS } from '../../domain/claims.ts';
import { broughtBackAt, kindsInTime, reportableOf } from './reportTime.ts';

const AT = new Date('2026-11-20T12:00:00.000Z');
const AGAIN = new Date('2026-11-22T12:00:00.000Z');
const after = (ms: number) => kindsInTime(AT, new Date(AT.getTime() + ms));

test('everything is offered in the first hours, then only what is missing, then nothing, and the form says why', () => {
  expect(after(CLAIM_WITHIN_MS)).toEqual(ITEM_KINDS);
  expect(after(CLAIM_WITHIN_MS + 1)).toEqual(['missing']);
  expect(after(MISSING_WITHIN_MS + 1)).toEqual([]);
  const back = order({ selfPickup: true });
  const whyAfter = (ms: number) => reportableOf(back, new Date(AT.getTime() + ms)).why;
  expect(whyAfter(0)).toBeUndefined();
  expect(whyAfter(CLAIM_WITHIN_MS + 1)).toMatch(/^It is more than 48 hours .+ only missing things/);
  expect(whyAfter(MISSING_WITHIN_MS + 1)).toMatch(/^It is more than 7 days .+ nothing can be reported/);
});

const order = (more: object) =>
  ({
    ...{ status: 'Completed', selfPickup: false, deliveries: [] },
    ...{ statusHistory: [{ status: 'Completed', createdAt: AT.toISOString() }] },
    ...more,
  }) as unknown as Parameters<typeof broughtBackAt>[0];
const delivery = (status: string, round: number, at: Date) => {
  const steps = [{ status, createdAt: at.toISOString() }];
  return { deliveryType: 'Scrub_To_Bud', status, round, statusHistory: steps };
};

test('the hours count from when the Bud had the laundry back, however it came', () => {
  expect(broughtBackAt(order({ selfPickup: true }))).toEqual(AT);
  expect(broughtBackAt(order({ deliveries: [delivery('Delivered', 2, AGAIN), delivery('Delivered', 1, AT)] }))).toEqual(
    AGAIN,
  );
  expect(broughtBackAt(order({ deliveries: [delivery('Called_Off', 1, AGAIN)] }))).toEqual(AGAIN);
  expect(broughtBackAt(order({ deliveries: [delivery('Way_To_Drop', 1, AGAIN)] }))).toBeUndefined();
  expect(broughtBackAt(order({ status: 'In_Progress', selfPickup: true }))).toBeUndefined();
});

test('laundry that is lost can be reported as missing at any status, and what is not back yet cannot be reported', () => {
  const lost = { deliveryType: 'Bud_To_Scrub', status: 'Failed', situation: 'lost' };
  const calledOff = { ...lost, status: 'Called_Off' };
  const kindsOf = (more: object) => reportableOf(order(more), AT).kinds;
  expect(kindsOf({ status: 'Accepted', deliveries: [lost] })).toEqual(['missing']);
  expect(kindsOf({ status: 'Cancelled', wayHome: 'lost', deliveries: [calledOff] })).toEqual(['missing']);
  expect(kindsOf({ status: 'Cancelled', wayHome: 'lost' })).toEqual(['missing']);
  // It was found.
  expect(kindsOf({ status: 'Cancelled', deliveries: [calledOff] })).toEqual([]);
  expect(kindsOf({ deliveries: [delivery('Way_To_Drop', 1, AT)] })).toEqual([]);
  expect(reportableOf(order({ status: 'In_Progress' }), AT).why).toContain('once your laundry is back with you');
});
