import { expect, test } from 'vitest';
import { isBudAsked } from './budsChoice.ts';
import { stateText } from './caseTexts.ts';

test('a pickup or a delivery that failed asks its Bud to choose on the order, and does not say that nothing is to do', () => {
  for (const kind of ['failed-pickup', 'failed-drop'] as const) {
    const found = { kind, status: 'with-town', waitsFor: 'Operator' } as const;
    expect(stateText(found, 'Bud', true)).toBe('Choose on the order what happens next. We look at it, too.');
    expect(stateText(found, 'Scrub', true)).toBe('The Bud chooses what happens next. You do not need to do anything.');
    expect(stateText(found, 'Bud', false)).toBe('We look at it and decide. You do not need to do anything.');
  }
});

test('a Bud is asked once, and only about laundry that no Duber has', () => {
  const step = (action: string) => ({ action });
  const failed = { status: 'Failed', hasLaundry: false, exceptions: [step('pickup-failed')] } as const;
  const returned = { status: 'Returned', hasLaundry: false, exceptions: [step('drop-failed')] } as const;
  for (const delivery of [failed, returned]) {
    expect(isBudAsked(delivery)).toBe(true);
    expect(isBudAsked({ ...delivery, exceptions: [step('re-offer'), ...delivery.exceptions] })).toBe(false);
  }
  expect(isBudAsked({ ...failed, hasLaundry: true })).toBe(false);
  expect(isBudAsked({ ...failed, exceptions: [step('report-lost')] })).toBe(false);
  expect(isBudAsked({ ...failed, status: 'Pending' })).toBe(false);
});
