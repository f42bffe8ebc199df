import { expect, test } from 'vitest';
import type { DeliveryStatus } from '../../domain/deliveries.ts';
import { canLeaveAtDoor, custodyText, handoverText, mustBudPress, pinHint, waitsForDubersStep } from './custodyText.ts';

const holder = { role: 'Duber', id: 'd', fullname: 'Alan Duber' } as const;

test('says who has the laundry, since when, and how many bags', () => {
  const custody = { holder, since: '2026-11-21T10:42:00.000Z', bags: 2, handovers: [] };
  expect(custodyText(custody, 'Bud')).toMatch(/^The laundry is with Alan Duber since .+, 2 bags\.$/);
  expect(custodyText({ ...custody, bags: 1 }, 'Bud')).toMatch(/, 1 bag\.$/);
  expect(custodyText({ ...custody, since: null, bags: null }, 'Duber')).toBe('The laundry is with you.');
});

test('laundry that was left at a door stands there until its Bud says that they have it', () => {
  const left = { proof: 'door', confirmed: null, takesBack: null } as const;
  const bud = { role: 'Bud', id: 'b', fullname: 'Ada Bud' } as const;
  const custody = { holder: bud, since: '2026-11-21T10:42:00.000Z', bags: null, handovers: [left] };
  expect(custodyText(custody, 'Bud')).toMatch(/^At your door since .+\.$/);
  expect(custodyText(custody, 'Scrub')).toMatch(/^At Ada Bud’s door since .+\.$/);
  const confirmed = { ...left, confirmed: { bags: 2, at: '2026-11-21T11:00:00.000Z' } };
  expect(custodyText({ ...custody, handovers: [confirmed] }, 'Bud')).toMatch(/^The laundry is with you since/);
});

test('knows that the Duber has not said yet that they brought what somebody has', () => {
  const waits = (deliveryType: 'Bud_To_Scrub' | 'Scrub_To_Bud', status: string, who: 'Bud' | 'Scrub' | 'Duber') =>
    (['Bud', 'Scrub'] as const).filter((role) =>
      waitsForDubersStep(
        { deliveries: [{ deliveryType, status }] } as never,
        { holder: { role: who, id: 'x', fullname: 'Ada' } },
        role,
      ),
    );
  expect(waits('Bud_To_Scrub', 'Way_To_Drop', 'Scrub')).toEqual(['Scrub']);
  expect(waits('Bud_To_Scrub', 'Way_Back', 'Bud')).toEqual(['Bud']);
  expect(waits('Scrub_To_Bud', 'Way_To_Drop', 'Bud')).toEqual(['Bud']);
  expect(waits('Scrub_To_Bud', 'Way_Back', 'Scrub')).toEqual(['Scrub']);
  expect(waits('Bud_To_Scrub', 'Way_To_Drop', 'Duber')).toEqual([]);
  expect(waits('Bud_To_Scrub', 'Delivered', 'Scrub')).toEqual([]);
  // It has moved on meanwhile.
  expect(waits('Bud_To_Scrub', 'Way_To_Drop', 'Bud')).toEqual([]);
});

test('says when to tell the PIN: a Scrub does not get laundry of their own', () => {
  expect(pinHint('Bud')).toContain('when you get your laundry');
  expect(pinHint('Scrub')).toContain('when you get the laundry');
});

test('says under a photo who gave the laundry to whom, or that it was left at the door', () => {
  const taker = { role: 'Bud', id: 'b', fullname: 'Ada Bud' } as const;
  const at = '2026-11-21T10:42:00.000Z';
  const handover = { position: 2, giver: holder, taker, proof: 'photo', takenAt: null, at } as const;
  const said = (one: Parameters<typeof handoverText>[0], viewer: Parameters<typeof handoverText>[1]) =>
    handoverText(one, viewer, [{ takesBack: null }]);
  expect(said(handover, 'Bud')).toMatch(/^Alan Duber to you, .+/);
  expect(said({ ...handover, giver: taker, taker: holder }, 'Bud')).toMatch(/^You to Alan Duber, .+/);
  expect(said({ ...handover, proof: 'door' }, 'Bud')).toMatch(/^Left at your door, .+/);
  expect(said({ ...handover, proof: 'door' }, 'Scrub')).toMatch(/^Left at the door, .+/);
  expect(said(handover, 'Bud')).not.toContain('taken back');
});

test('says under a photo that its hand-over was a mistake, which a later one takes back', () => {
  const taker = { role: 'Bud', id: 'b', fullname: 'Ada Bud' } as const;
  const handover = {
    position: 2,
    giver: holder,
    taker,
    proof: 'photo',
    takenAt: null,
    at: '2026-11-21T10:42:00.000Z',
  } as const;
  const later = [{ takesBack: null }, { takesBack: null }, { takesBack: 2 }];
  expect(handoverText(handover, 'Bud', later)).toMatch(/^Alan Duber to you, .+, taken back$/);
  expect(handoverText({ ...handover, proof: 'door' }, 'Bud', later)).toMatch(/^Left at your door, .+, taken back$/);
  expect(handoverText({ ...handover, position: 1 }, 'Bud', later)).not.toContain('taken back');
});

test('whether the laundry may stay at the door is asked only of a Duber who brings it, and not while it is lost', () => {
  type Order = Parameters<typeof canLeaveAtDoor>[0];
  const order = (status: string, situation: string) =>
    ({ selfPickup: false, deliveries: [{ status, situation }] }) as unknown as Order;
  expect(canLeaveAtDoor(order('Way_To_Drop', 'carried'))).toBe(true);
  expect(canLeaveAtDoor({ ...order('Way_To_Drop', 'carried'), selfPickup: true })).toBe(false);
  expect(canLeaveAtDoor(order('Failed', 'lost'))).toBe(false);
});

test('a Bud is asked to say that they have the laundry only when no Duber will, also when the page knows of the step before only', () => {
  const custody = { canConfirm: true, isPinBlocked: false, handovers: [] };
  const withDuber = { ...custody, holder: { role: 'Duber' as const, id: 'a-duber', fullname: 'Dana Reyes' } };
  const back = (status: DeliveryStatus) => ({ deliveries: [{ deliveryType: 'Scrub_To_Bud' as const, status }] });
  for (const status of ['Collected', 'Way_To_Drop'] as const) expect(mustBudPress(back(status), withDuber)).toBe(false);
  expect(mustBudPress(back('Collected'), { ...withDuber, isPinBlocked: true })).toBe(true);
  const withScrub = { ...custody, holder: { role: 'Scrub' as const, id: 'a-scrub', fullname: 'Sam Suds' } };
  expect(mustBudPress({ deliveries: [] }, withScrub)).toBe(true);
  expect(mustBudPress({ deliveries: [] }, { ...withScrub, canConfirm: false })).toBe(false);
});
