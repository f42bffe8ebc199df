import { expect, test } from 'vitest';
import { DELIVERY_EXCEPTIONS } from './deliveries.ts';
import { DELIVERY_NEEDS, type DeliveryFacts, NEEDS, REASONS } from './needs.ts';
import { chooseRow, type Transition } from './workflow.ts';

// Written out again on purpose, so that a mistake in the table fails a test: who, from, to, needs, and + for the next attempt.
const EXPECTED: Record<string, readonly string[]> = {
  'drop-delivery': ['Duber Accepted Pending reason +', 'Duber Way_To_Pick Pending reason +'],
  'take-off': ['Operator Accepted Pending reason +', 'Operator Way_To_Pick Pending reason +'],
  silent: ['System Accepted Pending +', 'System Way_To_Pick Pending +'],
  'arrived-at-pickup': ['Duber Way_To_Pick Way_To_Pick at-the-place'],
  'pickup-failed': ['Duber Way_To_Pick Failed not-carried-by-them arrived waited reason photo'],
  'arrived-at-drop': ['Duber Way_To_Drop Way_To_Drop at-the-place'],
  'drop-failed': ['Duber Way_To_Drop Failed not-taken arrived waited reason photo'],
  'try-again': ['Duber Failed Way_To_Drop laundry-on-board same-day +'],
  'bring-back': ['Duber Failed Way_Back laundry-on-board', 'Operator Failed Way_Back laundry-on-board reason'],
  'brought-back': ['Duber Way_Back Returned', 'Operator Way_Back Returned reason'],
  'mark-delivered': ['Operator Collected Delivered reason', 'Operator Way_To_Drop Delivered reason'],
  're-offer': [
    'Bud Failed Pending laundry-not-on-board first-re-offer +',
    'Bud Returned Pending first-re-offer +',
    'Operator Failed Pending laundry-not-on-board reason +',
    'Operator Returned Pending reason +',
  ],
  relay: ['Operator Collected Pending reason +', 'Operator Way_To_Drop Pending reason +'],
  'call-off': [
    'Operator Pending Called_Off reason',
    'Operator Accepted Called_Off reason',
    'Operator Way_To_Pick Called_Off reason',
    'Operator Failed Called_Off laundry-not-on-board reason',
    'Operator Failed Called_Off lost reason',
    'Operator Returned Called_Off reason',
    'System Pending Called_Off not-relayed',
    'System Accepted Called_Off not-relayed',
    'System Way_To_Pick Called_Off not-relayed',
    'System Failed Called_Off laundry-not-on-board not-relayed',
    'System Failed Called_Off lost',
    'System Returned Called_Off',
  ],
  correct: [
    'Duber Collected Way_To_Pick can-be-undone +',
    'Duber Delivered Way_To_Drop not-confirmed can-be-undone +',
    'Duber Failed Way_To_Pick laundry-not-on-board can-be-undone +',
    'Duber Failed Way_To_Drop laundry-on-board not-lost can-be-undone +',
    'Operator Collected Way_To_Pick reason +',
    'Operator Delivered Way_To_Drop reason +',
    'Operator Failed Way_To_Pick laundry-not-on-board reason +',
    'Operator Failed Way_To_Drop laundry-on-board not-lost reason +',
  ],
  'report-lost': [
    'Duber Collected Failed not-taken words +',
    'Duber Way_To_Drop Failed not-taken words +',
    'Duber Way_Back Failed not-taken words +',
    'Operator Collected Failed reason +',
    'Operator Way_To_Drop Failed reason +',
    'Operator Way_Back Failed reason +',
    'Operator Failed Failed laundry-on-board not-lost reason +',
  ],
};

test('who may do what when a delivery does not go as planned', () => {
  const rows: Record<string, string[]> = {};
  for (const { action, by, from, to, ...more } of DELIVERY_EXCEPTIONS) {
    const needs = 'needs' in more ? more.needs : [];
    rows[action] ??= [];
    rows[action].push([by, from, to, ...needs, ...('startsOver' in more ? ['+'] : [])].join(' '));
  }
  expect(rows).toEqual(EXPECTED);
});

test('every list of reasons belongs to a row that asks for a reason, or that the server takes', () => {
  for (const action of Object.keys(REASONS).filter((one) => one in EXPECTED))
    expect(EXPECTED[action]?.some((row) => row.includes('reason'))).toBe(true);
});

test('every need that is no rule of the body is checked', () => {
  const needed = NEEDS.filter((need) =>
    Object.values(EXPECTED).some((rows) => rows.join(' ').split(' ').includes(need)),
  );
  const checked = Object.keys(DELIVERY_NEEDS);
  expect(needed.filter((need) => !checked.includes(need))).toEqual(['reason', 'words']);
});

const FLOW: readonly Transition<string, string, string>[] = [
  { action: 'end', from: 'Failed', to: 'Ended', by: 'Operator', needs: ['laundry-not-on-board', 'not-relayed'] },
  { action: 'end', from: 'Failed', to: 'Lost', by: 'Operator', needs: ['laundry-on-board', 'lost'] },
];
const choose = (facts: Partial<DeliveryFacts>, by = 'Operator', status = 'Failed') =>
  chooseRow(FLOW, { action: 'end', status, by }, DELIVERY_NEEDS, facts as DeliveryFacts);

test('the first row whose status and needs fit is taken; else the row that comes closest says what is missing', () => {
  expect(choose({ hasLaundry: false, isRelayed: false })).toMatchObject({ ok: true, row: { to: 'Ended' } });
  expect(choose({ hasLaundry: true, isLost: true })).toMatchObject({ ok: true, row: { to: 'Lost' } });
  expect(choose({ hasLaundry: true, isLost: false })).toEqual({ ok: false, why: 'need', need: 'lost' });
  expect(choose({ hasLaundry: false, isRelayed: true })).toEqual({ ok: false, why: 'need', need: 'not-relayed' });
  expect(choose({}, 'Operator', 'Ended')).toEqual({ ok: false, why: 'wrong-status' });
  expect(choose({}, 'Bud')).toEqual({ ok: false, why: 'wrong-role' });
});
