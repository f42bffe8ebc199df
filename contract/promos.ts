import { z } from 'zod';
import {
  isPromoCode,
  MAX_PROMO_CODE_LENGTH,
  PROMO_CODE_MESSAGE,
  PROMO_REFUSALS,
  toPromoCode,
} from '../domain/promos.ts';
import { call } from './call.ts';
import { id, money, strict, text } from './fields.ts';
import { pricedFields } from './pricedFields.ts';
import { chosenWindows } from './windows.ts';

/** A promo code as somebody types it. */
export const promoCode = text({ required: 'Enter a code', name: 'The code', max: MAX_PROMO_CODE_LENGTH })
  .overwrite(toPromoCode)
  .refine(isPromoCode, { error: PROMO_CODE_MESSAGE, params: { constraint: 'isPromoCode' } });

const PromoQuote = z
  .object({
    code: z.string(),
    discount: money.describe('what the code takes off what the card pays'),
    total: money.describe('what the card pays then'),
    atMost: money.optional().describe('what is charged without asking then, at most; with a ceilingSize'),
  })
  .meta({ id: 'PromoQuote' });
export type PromoQuote = z.output<typeof PromoQuote>;

export const checkPromo = call({
  method: 'POST',
  path: '/promos/check',
  who: ['Bud'],
  body: strict({ ...pricedFields, ...chosenWindows, code: promoCode, budAddressId: id('budAddressId').optional() }),
  answer: PromoQuote,
  status: 200,
  failures: ['notFound', 'windowGone', ...PROMO_REFUSALS, 'tooManyCodes'],
  summary: 'What a promo code takes off an order, or why it takes off nothing. Changes nothing',
  spec: '7.3',
  example: { body: { code: 'WELCOME10', loadSize: 'Medium', selfDelivery: false, selfPickup: false } },
});
