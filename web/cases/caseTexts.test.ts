import { expect, test } from 'vitest';
import { isBudAsked } from './budsChoice.ts';
import { eventText, givenBackText, outcomeText, stateText, statusLabel } from './caseTexts.ts';
import { hasLaundryOf, relayedLaundryOf } from './relayedLaundry.ts';

test('a pickup or a delivery that failed asks its Bud to choose on the order, and does not say that there is nothing to do', () => {
  for (const kind of ['failed-pickup', 'failed-drop'] as const) {
    const found = { kind, status: 'with-town', waitsFor: 'Operator', offer: null } as const;
    expect(stateText(found, 'Bud', true)).toBe('Choose on the order what happens next. We look at it, too.');
    expect(stateText(found, 'Scrub', true)).toBe('The Bud chooses what happens next. You do not need to do anything.');
    expect(stateText(found, 'Bud', false)).toBe('We look at it and decide. You do not need to do anything.');
  }
});

test('a Bud is asked once, and only about laundry that no Duber has', () => {
  const failed = { status: 'Failed', situation: 'not-collected' } as const;
  const returned = { status: 'Returned', situation: 'brought-back' } as const;
  for (const delivery of [failed, returned]) {
    expect(isBudAsked(delivery)).toBe(true);
    expect(isBudAsked({ ...delivery, reOffers: 1 })).toBe(false);
  }
  const relayed = { ...failed, situation: 'relayed' } as const;
  expect([isBudAsked(relayed), isBudAsked({ ...relayed, status: 'Way_To_Pick' })]).toEqual([true, false]);
  expect(isBudAsked({ ...failed, situation: 'not-taken' })).toBe(false);
  expect(isBudAsked({ ...failed, situation: 'lost' })).toBe(false);
  expect(isBudAsked({ status: 'Pending', situation: 'waits-for-duber' })).toBe(false);
});

test('an answer that offers nothing is not called an offer that happens', () => {
  const found = { kind: 'claim', status: 'with-bud', waitsFor: 'Bud' } as const;
  const state = (kind: 'was-before' | 'give-back', role: 'Bud' | 'Scrub') =>
    stateText({ ...found, offer: { kind, amount: null } }, role, false);
  expect(state('was-before', 'Bud')).toMatch(
    /^Agree that nothing is given back, or ask us\..* nothing is given back\.$/,
  );
  expect(state('was-before', 'Scrub')).toBe('The Bud has 72 hours to answer. After that, nothing is given back.');
  expect(state('give-back', 'Bud')).toMatch(/^Accept the offer, or let us decide\./);
  const event = {
    words: null,
    fileIds: [],
    createdAt: '2026-01-05T10:00:00.000Z',
    status: 'decided',
    amount: null,
  } as const;
  const happened = { ...event, offer: 'was-before' } as const;
  expect(eventText({ ...happened, action: 'accept-offer', by: 'Bud' }, 'Bud')).toBe('You agreed');
  expect(eventText({ ...happened, action: 'silent-bud', by: 'System' }, 'Bud')).toBe(
    'No answer within 72 hours: nothing is given back',
  );
});

test('an offer to clean it again that happens says so, and names no amount', () => {
  const event = {
    ...{ words: null, fileIds: [], createdAt: '2026-01-05T10:00:00.000Z', status: 'decided', amount: 0 },
    ...{ by: 'Bud', action: 'accept-offer' },
  } as const;
  const happened = { ...event, offer: 'clean-again' } as const;
  expect(eventText(happened, 'Bud')).toBe('You accepted the offer: the laundry is cleaned again');
  expect(eventText(happened, 'Scrub')).toBe('The Bud accepted the offer: the laundry is cleaned again');
  const silent = { ...happened, action: 'silent-bud', by: 'System' } as const;
  expect(eventText(silent, 'Scrub')).toBe('No answer within 72 hours: the laundry is cleaned again');
  for (const one of [happened, silent])
    expect(outcomeText({ events: [one] })).toBe('The laundry is cleaned again, at no cost for the Bud.');
  const answered = { ...happened, action: 'answer', by: 'Scrub', amount: null } as const;
  expect(outcomeText({ events: [answered, { ...event, status: 'with-town', offer: null }] })).toBeUndefined();
});

test('an offer of money names its amount, and one of nothing does not', () => {
  const event = {
    ...{ words: null, fileIds: [], createdAt: '2026-01-05T10:00:00.000Z', status: 'decided' },
    ...{ by: 'Bud', action: 'accept-offer' },
  } as const;
  expect(eventText({ ...event, offer: 'give-back', amount: 5 }, 'Bud')).toBe('You accepted the offer, $5.00');
  expect(eventText({ ...event, offer: 'was-before', amount: 0 }, 'Bud')).toBe('You agreed');
});

test('the person who pays for a decision reads how much, and nobody else does', () => {
  expect(givenBackText({ givenBack: 5, callerPays: 4.62 })).toBe(
    '$5.00 goes back to the card. $4.62 of it is taken from what you earned.',
  );
  expect(givenBackText({ givenBack: 5, callerPays: 0 })).toBe('$5.00 goes back to the card.');
});

test('the one whom a problem waits for reads that it is their turn, and the others whose turn it is', () => {
  const offered = { status: 'with-bud', waitsFor: 'Bud' } as const;
  expect(statusLabel(offered, 'Bud')).toBe('Your turn');
  expect(statusLabel(offered, 'Scrub')).toBe('With the Bud');
  expect(statusLabel({ status: 'with-scrub', waitsFor: 'Scrub' }, 'Scrub')).toBe('Your turn');
  expect(statusLabel({ status: 'with-duber', waitsFor: 'Duber' }, 'Bud')).toBe('With the Duber');
  expect(statusLabel({ status: 'with-town', waitsFor: 'Operator' }, 'Bud')).toBe('With us');
  expect(statusLabel({ status: 'closed', waitsFor: null }, 'Bud')).toBe('Closed');
});

test('a person who reads of five wrong PINs reads what to do instead, as in the notice, and not that there is nothing to do', () => {
  const found = { kind: 'wrong-pin', status: 'with-town', waitsFor: 'Operator', offer: null } as const;
  for (const role of ['Bud', 'Scrub', 'Duber'] as const) {
    const text = stateText(found, role, false);
    expect(text).toContain('Whoever gets the laundry presses “I have … bags” at their order once they have it,');
    expect(text).not.toContain('do anything.');
  }
  expect(stateText({ ...found, status: 'closed', waitsFor: null }, 'Scrub', false)).toMatch(/^This is closed\./);
});

test('a Duber who cannot go on keeps the laundry until the next one has it, and then has nothing to do', () => {
  const found = { kind: 'relay', status: 'with-town', waitsFor: 'Operator', offer: null } as const;
  expect(stateText(found, 'Duber', false)).toContain('Please keep the laundry with you until they collect it.');
  expect(stateText(found, 'Duber', false, 'gone')).not.toMatch(/keep|look for/);
  const delivery = {
    status: 'Way_To_Drop',
    hasLaundry: true,
    duberId: 'first',
    isCarrier: false,
    pickup: null,
  } as const;
  expect(hasLaundryOf(delivery, 'first', undefined)).toBe(true);
  const handedOn = { ...delivery, status: 'Way_To_Pick', hasLaundry: false, duberId: 'next', isCarrier: true } as const;
  expect(hasLaundryOf(handedOn, 'first', undefined)).toBe(true);
  expect(hasLaundryOf({ ...delivery, duberId: 'next' }, 'first', undefined)).toBe(false);
  expect(hasLaundryOf({ ...delivery, status: 'Delivered', hasLaundry: false }, 'first', undefined)).toBe(false);
});

test('a Duber who goes on after all has the laundry, unless another one waits for them with it', () => {
  const heldBy = (id: string) => ({ holder: { role: 'Duber' as const, id, fullname: 'Alan D.' } });
  const pickup = { latitude: 24.01, longitude: 67 };
  for (const status of ['Accepted', 'Way_To_Pick', 'Failed'] as const) {
    const again = { status, hasLaundry: false, duberId: 'first', isCarrier: false, pickup } as const;
    expect(hasLaundryOf(again, 'first', heldBy('first'))).toBe(true);
    expect(hasLaundryOf(again, 'first', undefined)).toBe(true);
    expect(hasLaundryOf(again, 'first', heldBy('other'))).toBe(false);
  }
});

test('a Duber who may no longer read the delivery is not told that the laundry is gone: it may be called off', () => {
  const found = { kind: 'relay', status: 'with-town', waitsFor: 'Operator', offer: null } as const;
  const custody = undefined;
  const delivery = {
    status: 'Way_To_Pick',
    hasLaundry: false,
    duberId: 'next',
    isCarrier: true,
    pickup: null,
  } as const;
  expect(relayedLaundryOf(undefined, 'first', { isHidden: false, custody })).toBe('kept');
  expect(relayedLaundryOf(delivery, 'first', { isHidden: false, custody })).toBe('kept');
  expect(relayedLaundryOf({ ...delivery, isCarrier: false }, 'first', { isHidden: false, custody })).toBe('gone');
  const own = { ...delivery, status: 'Called_Off', duberId: 'first', isCarrier: false } as const;
  for (const laundry of [
    relayedLaundryOf(delivery, 'first', { isHidden: true, custody }),
    relayedLaundryOf(own, 'first', { isHidden: false, custody }),
  ])
    expect(stateText(found, 'Duber', false, laundry)).toContain('If you still have it, keep it and ask the town.');
});
