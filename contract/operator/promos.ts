import { z } from 'zod';
import { MAX_PROMO_USES, PROMO_KINDS } from '../../domain/promos.ts';
import { flag, id, money, oneOf, orderNumber, strict, time, uuid } from '../fields.ts';
import { promoCode } from '../promos.ts';
import { act, operatorCall } from './call.ts';
import { pageInQuery, pageOf } from './pages.ts';

const ID = '0192f0c1-7a3b-7c4d-8e5f-0123456789ab';
const params = strict({ id: id('id') });

export const TownPromo = z
  .object({
    id: uuid,
    code: z.string(),
    kind: z.enum(PROMO_KINDS),
    value: z.number().describe('percent or dollars, as the kind says'),
    maxDiscount: money.nullable().describe('what a percentage takes off at most'),
    minTotal: money.describe('what an order costs at least'),
    firstOrderOnly: z.boolean(),
    startsAt: time,
    endsAt: time.nullable(),
    maxUses: z.int().nullable(),
    maxUsesPerBud: z.int().nullable(),
    uses: z.int().describe('orders that were placed with it, without those that ended before their card was charged'),
    cost: money.describe('what the platform has paid for it so far, less what went back'),
    atMost: money.nullable().describe('what it can cost in the end; null when nothing limits it'),
    createdBy: z.string(),
    createdAt: time,
    endedAt: time.nullable().describe('when an operator ended it'),
  })
  .meta({ id: 'TownPromo' });
export type TownPromo = z.output<typeof TownPromo>;

export const PROMOS_PAGE = 20;

export const listPromos = operatorCall({
  method: 'GET',
  path: '/operator/promos',
  permission: 'see',
  query: strict({ page: pageInQuery() }),
  answer: pageOf(TownPromo, PROMOS_PAGE).meta({ id: 'TownPromos' }),
  status: 200,
  failures: [],
  summary: 'The promo codes, newest first, and what each has cost',
  example: { query: {} },
});

export const PromoUse = z
  .object({
    orderId: uuid,
    orderNumber: orderNumber.nullable().describe('null while its card is being asked, and when that came to nothing'),
    bud: z.object({ id: uuid, name: z.string() }),
    at: time,
    discount: money.describe('what it took off when the order was placed'),
    cost: money.describe('what the platform has paid for it, less what went back'),
    counts: z.boolean().describe('false when the order ended before its card was charged'),
  })
  .meta({ id: 'PromoUse' });
export type PromoUse = z.output<typeof PromoUse>;

export const PROMO_USES_PAGE = 50;

export const listPromoUses = operatorCall({
  method: 'GET',
  path: '/operator/promos/:id/uses',
  permission: 'see',
  params,
  query: strict({ page: pageInQuery() }),
  answer: pageOf(PromoUse, PROMO_USES_PAGE).extend({ promo: TownPromo }).meta({ id: 'PromoUses' }),
  status: 200,
  failures: ['notFound'],
  summary: 'One promo code and who has used it, newest first',
  example: { params: { id: ID }, query: {} },
});

const number = (name: string) => z.number({ error: `${name} must be a number` });
const uses = (name: string) =>
  z
    .int({ error: `${name} must be a whole number` })
    .min(1, { error: `${name} must be at least 1` })
    .max(MAX_PROMO_USES, { error: `${name} must be at most ${MAX_PROMO_USES}` })
    .optional();
const day = (name: string) => z.iso.date({ error: `${name} must be a date, like 2026-12-01` }).optional();

export const addPromo = act({
  path: '/operator/promos/add',
  permission: 'prices',
  act: { subject: 'town', takesCode: true, approval: 'depends' },
  body: {
    code: promoCode,
    kind: oneOf(PROMO_KINDS, `kind must be one of ${PROMO_KINDS.join(', ')}`),
    value: number('value').describe('percent or dollars, as the kind says'),
    maxDiscount: number('maxDiscount').optional().describe('what a percentage takes off at most, in dollars'),
    minTotal: number('minTotal').optional().describe('what an order costs at least, in dollars'),
    firstOrderOnly: flag('firstOrderOnly').default(false),
    from: day('from').describe('the first day of the town on which it holds; at once when it is missing'),
    until: day('until').describe('the last day on which it holds'),
    maxUses: uses('maxUses').describe('by all together'),
    maxUsesPerBud: uses('maxUsesPerBud'),
  },
  failures: ['wrongStatus'],
  summary:
    'Make a promo code. Needs a second operator when all its uses may cost more than the limit of a day. A code cannot be changed, and is never used for another one',
  example: {
    body: { code: 'WELCOME5', kind: 'amount', value: 5, maxUses: 20, maxUsesPerBud: 1, reason: 'A new street' },
  },
});

export const endPromo = act({
  path: '/operator/promos/:id/end',
  permission: 'prices',
  act: { subject: 'town' },
  params,
  failures: ['notFound', 'wrongStatus'],
  summary: 'End a promo code. Orders that were placed with it keep what it takes off',
  example: { params: { id: ID }, body: { reason: 'It was posted on a site for codes' } },
});
