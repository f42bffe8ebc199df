import type { TownPromo } from '../../contract/operator/promos.ts';
import { formatMoney } from '../ui/format.ts';
import { formatLastTownDay, formatTownDay } from './townDay.ts';

type Terms = Pick<
  TownPromo,
  'kind' | 'value' | 'maxDiscount' | 'minTotal' | 'firstOrderOnly' | 'maxUses' | 'maxUsesPerBud'
>;

/** '20 % off, at most $5.00. For orders of $20.00 or more. First orders only.' */
export function describeTerms(promo: Terms): string {
  const { kind, value, maxDiscount, minTotal, firstOrderOnly, maxUses, maxUsesPerBud } = promo;
  const off = kind === 'percent' ? `${value} % off` : `${formatMoney(value)} off`;
  return [
    maxDiscount === null ? `${off}.` : `${off}, at most ${formatMoney(maxDiscount)}.`,
    minTotal > 0 && `For orders of ${formatMoney(minTotal)} or more.`,
    firstOrderOnly && 'First orders only.',
    maxUses !== null && `${maxUses} ${maxUses === 1 ? 'use' : 'uses'} in all.`,
    maxUsesPerBud !== null && `${maxUsesPerBud} for each Bud.`,
  ]
    .filter(Boolean)
    .join(' ');
}

export type PromoState = 'later' | 'active' | 'used-up' | 'over' | 'ended';

export function stateOf(
  { startsAt, endsAt, endedAt, uses, maxUses }: Pick<TownPromo, 'startsAt' | 'endsAt' | 'endedAt' | 'uses' | 'maxUses'>,
  now: Date,
): PromoState {
  if (endedAt !== null) return 'ended';
  const time = now.toISOString();
  if (endsAt !== null && endsAt <= time) return 'over';
  if (startsAt > time) return 'later';
  return maxUses !== null && uses >= maxUses ? 'used-up' : 'active';
}

export const STATE_TEXTS: Readonly<Record<PromoState, string>> = {
  later: 'Not yet',
  active: 'Active',
  'used-up': 'Used up',
  over: 'Over',
  ended: 'Ended',
};

/** From when until when it can be used. */
export function describeTimes(
  { startsAt, endsAt, endedAt }: Pick<TownPromo, 'startsAt' | 'endsAt' | 'endedAt'>,
  timeZone: string,
): string {
  const from = `From ${formatTownDay(startsAt, timeZone)}`;
  if (endedAt !== null) return `${from}, ended on ${formatTownDay(endedAt, timeZone)}`;
  return endsAt === null
    ? `${from}, without a last day`
    : `${from} to the end of ${formatLastTownDay(endsAt, timeZone)}`;
}

/** '3 uses, $12.00 so far of at most $50.00' */
export function describeCost({ uses, cost, atMost }: Pick<TownPromo, 'uses' | 'cost' | 'atMost'>): string {
  const limit = atMost === null ? 'without a limit' : `of at most ${formatMoney(atMost)}`;
  return `${uses} ${uses === 1 ? 'use' : 'uses'}, ${formatMoney(cost)} so far ${limit}`;
}
