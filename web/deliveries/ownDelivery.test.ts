import { beforeEach, expect, test } from 'vitest';
import { queryClient } from '../api/queryClient.ts';
import { DUBER_DASHBOARD_KEY } from './dashboardQuery.ts';
import { forgetDropped, isOwnOffer, rememberDropped } from './ownDelivery.ts';

beforeEach(() => queryClient.clear());

test('a delivery that this Duber gives to others is no new offer, until another Duber gives it away', () => {
  expect(isOwnOffer('d')).toBe(false);
  rememberDropped('d');
  expect([isOwnOffer('other'), isOwnOffer('d'), isOwnOffer('d')]).toEqual([false, true, false]);
  rememberDropped('d');
  forgetDropped('d');
  expect(isOwnOffer('d')).toBe(false);
});

test('a delivery that they have lost on another device is not theirs any more', () => {
  queryClient.setQueryData(DUBER_DASHBOARD_KEY, { activeDelivery: { id: 'd' } });
  expect([isOwnOffer('d'), isOwnOffer('other')]).toEqual([true, false]);
});
