import { describe, expect, test } from 'vitest';
import {
  chooseAddress,
  chooseLoadSize,
  EMPTY_DRAFT,
  isStepComplete,
  type OrderDraft,
  parseDraft,
  preselectAddress,
  removeUnavailable,
  resolveStep,
} from './orderDraft.ts';

const scrub = { id: 's1', fullname: 'Sam Suds', distanceMeters: 420 };
const draftWith = (given: Partial<OrderDraft>): OrderDraft => ({ ...EMPTY_DRAFT, ...given });
const completeDraft = draftWith({ addressId: 'a1', scrub, loadSize: 'Medium' });

describe('the place-order draft', () => {
  test('starts with nothing chosen and no step complete', () => {
    expect(isStepComplete(EMPTY_DRAFT, 1)).toBe(false);
    expect(isStepComplete(EMPTY_DRAFT, 2)).toBe(false);
    expect(isStepComplete(EMPTY_DRAFT, 3)).toBe(false);
  });

  test('needs an address, then a scrub, then a load size', () => {
    expect(isStepComplete(draftWith({ addressId: 'a1' }), 1)).toBe(true);
    expect(isStepComplete(draftWith({ addressId: 'a1' }), 2)).toBe(false);
    expect(isStepComplete(draftWith({ addressId: 'a1', scrub }), 2)).toBe(true);
    expect(isStepComplete(draftWith({ addressId: 'a1', scrub }), 3)).toBe(false);
    expect(isStepComplete(completeDraft, 3)).toBe(true);
  });

  test('drops the chosen Scrub when another address is chosen, and keeps the rest', () => {
    expect(chooseAddress(completeDraft, 'a2')).toEqual({ ...completeDraft, addressId: 'a2', scrub: undefined });
    expect(chooseAddress(completeDraft, 'a1')).toBe(completeDraft);
  });

  test('keeps the wish to be asked when another size is chosen, and drops a limit', () => {
    const [asked, upTo, untouched] = [
      draftWith({ ceilingSize: 'Small' }),
      draftWith({ ceilingSize: 'Large' }),
      draftWith({}),
    ];
    for (const [before, after] of [
      [asked, 'Medium'],
      [upTo, undefined],
      [untouched, undefined],
    ] as const)
      expect(chooseLoadSize({ ...before, loadSize: 'Small' }, 'Medium')).toMatchObject({
        loadSize: 'Medium',
        ceilingSize: after,
      });
    expect(chooseLoadSize(EMPTY_DRAFT, 'Large').ceilingSize).toBeUndefined();
  });

  test('drops an address that no longer exists and a Scrub that the search did not find', () => {
    expect(removeUnavailable(completeDraft, { addressIds: ['a2'] })).toEqual({
      ...completeDraft,
      addressId: undefined,
      scrub: undefined,
    });
    expect(removeUnavailable(completeDraft, { addressIds: ['a1'], scrubIds: ['s2'] })).toEqual({
      ...completeDraft,
      scrub: undefined,
    });
    expect(removeUnavailable(completeDraft, { addressIds: ['a1'], scrubIds: ['s1'] })).toBe(completeDraft);
    expect(removeUnavailable(completeDraft, {})).toBe(completeDraft);
  });
});

describe('the step in the URL', () => {
  test('is never past an incomplete step', () => {
    expect(resolveStep(EMPTY_DRAFT, '4')).toBe(1);
    expect(resolveStep(draftWith({ addressId: 'a1' }), '4')).toBe(2);
    expect(resolveStep(draftWith({ addressId: 'a1', scrub }), '4')).toBe(3);
    expect(resolveStep(completeDraft, '4')).toBe(4);
    expect(resolveStep(completeDraft, '2')).toBe(2);
  });

  test('is the first step for an invalid value and the last for one too high', () => {
    for (const wanted of [null, '', 'x', '0', '-3', 'NaN']) expect(resolveStep(completeDraft, wanted)).toBe(1);
    expect(resolveStep(completeDraft, '99')).toBe(4);
  });
});

describe('a stored draft', () => {
  test('is restored as it was', () => {
    const left = { ...completeDraft, selfPickup: true, instructions: 'Cold wash, please.' };
    expect(parseDraft(JSON.stringify(left))).toEqual(left);
    expect(parseDraft(JSON.stringify(EMPTY_DRAFT))).toEqual(EMPTY_DRAFT);
  });

  test('is empty when it cannot be read', () => {
    for (const kept of [null, '', '{', '7', '"x"', 'null']) expect(parseDraft(kept)).toEqual(EMPTY_DRAFT);
    const spoilt = { addressId: 3, scrub: { id: 's1' }, loadSize: 'Huge', selfDelivery: 'yes', instructions: [] };
    expect(parseDraft(JSON.stringify(spoilt))).toEqual(EMPTY_DRAFT);
  });
});

test('the address of the last order is preselected, or the only one, and a chosen one stays', () => {
  const preselected = (ids: string[], last: string | null) => preselectAddress(EMPTY_DRAFT, ids, last).addressId;
  expect(preselected(['home'], null)).toBe('home');
  expect(preselected(['home', 'work'], null)).toBeUndefined();
  expect(preselected(['home', 'work'], 'work')).toBe('work');
  expect(preselected(['home', 'work'], 'gone')).toBeUndefined();
  expect(preselectAddress({ ...EMPTY_DRAFT, addressId: 'work' }, ['home', 'work'], 'home').addressId).toBe('work');
});
