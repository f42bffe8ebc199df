import { expect, test } from 'vitest';
import { deliveryTownWordsOf, failureWordsOf } from './failureWords.ts';

type FailedOrder = Parameters<typeof failureWordsOf>[0];
const step = (action: string, more: object = {}) => ({
  ...{ action, by: 'Duber', attempt: 1, words: null },
  ...more,
});
const failed = step('pickup-failed', { words: 'I rang three times.' });
const orderOf = (leg: object, more: object = {}) => {
  const duber = { fullname: 'Alan Turing' };
  const usual = { round: 1, attempt: 1, status: 'Failed', hasLaundry: false, duber, exceptions: [failed] };
  return { status: 'Accepted', round: 1, deliveries: [{ ...usual, ...leg }], ...more } as unknown as FailedOrder;
};

test('the people of an order read what its Duber wrote about a pickup that failed', () => {
  expect(failureWordsOf(orderOf({}))).toBe('Alan wrote: “I rang three times.”');
  expect(failureWordsOf(orderOf({ duber: null }))).toBe('The Duber wrote: “I rang three times.”');
});

test('what a Duber wrote about a drop-off is read until the laundry is back, and then until it is offered again', () => {
  const exceptions = [step('drop-failed', { words: 'Nobody came.' }), step('bring-back'), step('brought-back')];
  const status = { status: 'Completed' };
  expect(failureWordsOf(orderOf({ status: 'Way_Back', exceptions: exceptions.slice(0, 2) }, status))).toContain(
    'Nobody',
  );
  expect(failureWordsOf(orderOf({ status: 'Returned', exceptions }, status))).toContain('Nobody came.');
  expect(failureWordsOf(orderOf({ status: 'Pending', attempt: 2, exceptions }, status))).toBeUndefined();
});

test('words of an earlier attempt, of an earlier round, and of an order that was called off are not repeated', () => {
  const again = [failed, step('re-offer', { by: 'Bud' }), step('pickup-failed', { attempt: 2 })];
  expect(failureWordsOf(orderOf({ attempt: 2, exceptions: again }))).toBeUndefined();
  expect(failureWordsOf(orderOf({}, { round: 2 }))).toBeUndefined();
  expect(failureWordsOf(orderOf({}, { status: 'Cancelled' }))).toBeUndefined();
  expect(failureWordsOf(orderOf({ exceptions: [{ ...failed, by: 'Operator' }] }))).toBeUndefined();
});

test('the people of an order read what an operator wrote about its delivery, until the order has gone on', () => {
  const relay = { action: 'relay', by: 'Operator', words: 'Bob comes at six.', createdAt: '2026-11-22T12:00:00.000Z' };
  const leg = { round: 1, deliveryType: 'Bud_To_Scrub', statusHistory: [], exceptions: [relay] };
  const read = (more: object, oneLeg: object = leg) =>
    deliveryTownWordsOf({ status: 'Accepted', round: 1, deliveries: [oneLeg], ...more } as never);
  expect(read({})).toBe('The town wrote: “Bob comes at six.”');
  expect(read({ status: 'Completed' })).toBeUndefined();
  expect(read({ status: 'Completed' }, { ...leg, deliveryType: 'Scrub_To_Bud' })).toContain('Bob comes');
  expect(read({ round: 2 })).toBeUndefined();
  expect(read({ status: 'Cancelled' })).toBeUndefined();
});
