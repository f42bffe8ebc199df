import { expect, test } from 'vitest';
import { DELIVERY_STATUSES, type DeliveryType } from '../../domain/deliveries.ts';
import { doorNote, needsCustody, photoOffer } from './dubersCustody.ts';

const NOTE = 'The Bud lets you leave it at the door: take a photo of it there.';
const TYPES: readonly DeliveryType[] = ['Bud_To_Scrub', 'Scrub_To_Bud'];

const notesOf = (leaveAtDoor: boolean | undefined) =>
  TYPES.flatMap((deliveryType) =>
    DELIVERY_STATUSES.map((status) => ({
      where: `${deliveryType} ${status}`,
      note: doorNote({ deliveryType, status }, leaveAtDoor),
    })),
  ).filter(({ note }) => note !== undefined);

test('a Duber who brings the laundry home, or back to the Bud, reads that it may stay at the door', () => {
  expect(notesOf(true)).toEqual([
    { where: 'Bud_To_Scrub Way_Back', note: NOTE },
    { where: 'Scrub_To_Bud Way_To_Drop', note: NOTE },
  ]);
});

test('a Duber reads nothing of the door where the Bud did not choose it, or while it is not known', () => {
  expect([...notesOf(false), ...notesOf(undefined)]).toEqual([]);
});

test('who has the laundry and what the Bud allows is asked only for the Duber of the delivery, and one step ahead', () => {
  const asked = (pickup: { latitude: number; longitude: number } | null, duberId = 'd') =>
    TYPES.map((deliveryType) =>
      DELIVERY_STATUSES.filter((status) => needsCustody({ deliveryType, status, duberId, pickup }, 'd')),
    );
  expect(asked(null)).toEqual([
    ['Failed', 'Way_Back'],
    ['Collected', 'Way_To_Drop'],
  ]);
  expect(asked({ latitude: 24, longitude: 67 })[1]).toContain('Way_To_Pick');
  expect(asked({ latitude: 24, longitude: 67 }, 'other')).toEqual([[], []]);
});

test('a photo is offered until the town has asked for a PIN, and taken at once where the PIN is blocked or the door allowed', () => {
  const isLeftAtDoor = false;
  for (const action of ['delivered', 'brought-back'] as const) {
    expect(photoOffer(action, { isLeftAtDoor, refused: [] })).toBe('button');
    expect(photoOffer(action, { isLeftAtDoor, refused: ['wrongPin'] })).toBe('button');
    expect(photoOffer(action, { isLeftAtDoor, refused: ['proofNeeded'] })).toBe('none');
    expect(photoOffer(action, { isLeftAtDoor, refused: ['proofNeeded', 'wrongPin'] })).toBe('none');
    expect(photoOffer(action, { isLeftAtDoor, refused: ['pinBlocked'] })).toBe('open');
    expect(photoOffer(action, { isLeftAtDoor: true, refused: ['proofNeeded'] })).toBe('open');
  }
  expect(photoOffer('collected', { isLeftAtDoor, refused: ['proofNeeded'] })).toBe('button');
  expect(photoOffer('delivered', { isLeftAtDoor, refused: [], asksProof: true })).toBe('none');
  expect(photoOffer('collected', { isLeftAtDoor, refused: [], asksProof: true })).toBe('button');
});
