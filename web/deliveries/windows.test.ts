import { describe, expect, test } from 'vitest';
import { type Offer, offersToAccept } from './dashboardQuery.ts';
import { dueText, groupOffers, isForLater } from './windows.ts';

const NOW = new Date('2026-12-02T12:00:00Z');
const FRIDAY = { from: '2026-12-04T17:00:00.000Z', until: '2026-12-04T19:00:00.000Z' };
const PAST = { from: '2026-12-02T08:00:00.000Z', until: '2026-12-02T10:00:00.000Z' };
const plain = (text: string | undefined) => text?.replaceAll('\u00a0', ' ');
const offer = (id: string, window?: typeof FRIDAY) =>
  ({ delivery: { id, deliveryType: 'Bud_To_Scrub', ...(window ? { window } : {}) } }) as Offer;
const idsOf = (offers: readonly Offer[]) => offers.map(({ delivery }) => delivery.id);

describe('when a delivery is due', () => {
  test.each([
    ['Bud_To_Scrub', FRIDAY, undefined, 'Fri, 5–7 pm'],
    ['Bud_To_Scrub', FRIDAY, '2026-12-05T19:00:00.000Z', 'Fri, 5–7 pm'],
    ['Scrub_To_Bud', FRIDAY, FRIDAY.until, 'Fri, 5–7 pm, back by 7 pm'],
    ['Scrub_To_Bud', FRIDAY, '2026-12-05T08:00:00.000Z', 'Fri, 5–7 pm, back by Sat, 8 am'],
    ['Scrub_To_Bud', undefined, FRIDAY.until, 'Back by Fri, 7 pm'],
    ['Scrub_To_Bud', undefined, '2026-12-02T19:00:00.000Z', 'Back by today, 7 pm'],
    ['Scrub_To_Bud', undefined, undefined, undefined],
  ] as const)(
    'of the type %s, for the window %j and the promise %s, it reads “%s”',
    (deliveryType, window, promisedAt, text) => {
      expect(plain(dueText({ deliveryType, window, promisedAt }, 'UTC', NOW))).toBe(text);
    },
  );
});

describe('offers', () => {
  test('an offer is for later until its window has ended', () => {
    expect([{}, { window: PAST }, { window: FRIDAY }].map((due) => isForLater(due, NOW))).toEqual([false, false, true]);
  });

  test('offers are grouped by their windows, before those for as soon as possible', () => {
    const { groups, forNow } = groupOffers(
      [offer('late', PAST), offer('a', FRIDAY), offer('b', FRIDAY), offer('now')],
      'UTC',
      NOW,
    );
    expect(groups.map(({ name, offers }) => [plain(name), idsOf(offers)])).toEqual([['Fri, 5–7 pm', ['a', 'b']]]);
    expect(idsOf(forNow)).toEqual(['late', 'now']);
  });

  test('a Duber with a delivery under way can accept those for later', () => {
    const pendingDeliveries = [offer('a', FRIDAY), offer('now')];
    const active = { id: 'active' } as never;
    expect(idsOf(offersToAccept({ activeDelivery: null, pendingDeliveries }, NOW))).toEqual(['a', 'now']);
    expect(idsOf(offersToAccept({ activeDelivery: active, pendingDeliveries }, NOW))).toEqual(['a']);
  });
});
