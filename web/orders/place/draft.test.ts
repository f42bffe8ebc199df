import { describe, expect, test } from 'vitest';
import { chooseAddress, type Draft, EMPTY_DRAFT, isAnswered, readDraft, stepFor, withoutTheGone } from './draft.ts';

const scrub = { id: 's1', fullname: 'Sam Suds', distanceMeters: 420 };
const upTo = (given: Partial<Draft>): Draft => ({ ...EMPTY_DRAFT, ...given });
const full = upTo({ addressId: 'a1', scrub, loadSize: 'Medium' });

describe('the place-order draft', () => {
  test('starts with nothing chosen and no step answered', () => {
    expect(isAnswered(EMPTY_DRAFT, 1)).toBe(false);
    expect(isAnswered(EMPTY_DRAFT, 2)).toBe(false);
    expect(isAnswered(EMPTY_DRAFT, 3)).toBe(false);
  });

  test('needs an address, then a scrub, then a load size', () => {
    expect(isAnswered(upTo({ addressId: 'a1' }), 1)).toBe(true);
    expect(isAnswered(upTo({ addressId: 'a1' }), 2)).toBe(false);
    expect(isAnswered(upTo({ addressId: 'a1', scrub }), 2)).toBe(true);
    expect(isAnswered(upTo({ addressId: 'a1', scrub }), 3)).toBe(false);
    expect(isAnswered(full, 3)).toBe(true);
  });

  test('lets the chosen scrub go when another address is chosen, and keeps the rest', () => {
    expect(chooseAddress(full, 'a2')).toEqual({ ...full, addressId: 'a2', scrub: undefined });
    expect(chooseAddress(full, 'a1')).toBe(full);
  });

  test('lets go of an address that is gone and of a scrub that the search did not find', () => {
    expect(withoutTheGone(full, { addressIds: ['a2'] })).toEqual({ ...full, addressId: undefined, scrub: undefined });
    expect(withoutTheGone(full, { addressIds: ['a1'], scrubIds: ['s2'] })).toEqual({ ...full, scrub: undefined });
    expect(withoutTheGone(full, { addressIds: ['a1'], scrubIds: ['s1'] })).toBe(full);
    expect(withoutTheGone(full, {})).toBe(full);
  });
});

describe('the step of the address bar', () => {
  test('is never past one that is not answered', () => {
    expect(stepFor(EMPTY_DRAFT, '4')).toBe(1);
    expect(stepFor(upTo({ addressId: 'a1' }), '4')).toBe(2);
    expect(stepFor(upTo({ addressId: 'a1', scrub }), '4')).toBe(3);
    expect(stepFor(full, '4')).toBe(4);
    expect(stepFor(full, '2')).toBe(2);
  });

  test('is the first for nonsense and the last for too much', () => {
    for (const wanted of [null, '', 'x', '0', '-3', 'NaN']) expect(stepFor(full, wanted)).toBe(1);
    expect(stepFor(full, '99')).toBe(4);
  });
});

describe('a kept draft', () => {
  test('comes back as it was left', () => {
    const left = { ...full, selfPickup: true, instructions: 'Cold wash, please.' };
    expect(readDraft(JSON.stringify(left))).toEqual(left);
    expect(readDraft(JSON.stringify(EMPTY_DRAFT))).toEqual(EMPTY_DRAFT);
  });

  test('is empty where it cannot be read', () => {
    for (const kept of [null, '', '{', '7', '"x"', 'null']) expect(readDraft(kept)).toEqual(EMPTY_DRAFT);
    const spoilt = { addressId: 3, scrub: { id: 's1' }, loadSize: 'Huge', selfDelivery: 'yes', instructions: [] };
    expect(readDraft(JSON.stringify(spoilt))).toEqual(EMPTY_DRAFT);
  });
});
