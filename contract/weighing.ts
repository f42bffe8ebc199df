import { z } from 'zod';
import { ORDER_SIZES } from '../domain/orders.ts';
import { CORRECTION_ANSWERS, CORRECTION_STATES, MAX_GRAMS, MAX_PHOTOS_OF_SCALE, SCALES } from '../domain/weighing.ts';
import { call } from './call.ts';
import { flag, id, money, oneOf, optionalText, strict, text, time, uuid } from './fields.ts';

const ID = '0192f0c1-7a3b-7c4d-8e5f-0123456789ab';

const grams = z
  .int({ error: 'grams must be a whole number' })
  .min(1, { error: 'grams must be at least 1' })
  .max(MAX_GRAMS, { error: `grams must be at most ${MAX_GRAMS}` });

const photosOfScale = z
  .array(id('fileIds'), { error: 'fileIds must be a list of ids' })
  .min(1, { error: 'Take a photo of the scale' })
  .max(MAX_PHOTOS_OF_SCALE, { error: `fileIds must have at most ${MAX_PHOTOS_OF_SCALE} ids` });

const size = z.enum(ORDER_SIZES);

const Weight = z
  .object({
    scale: z.enum(SCALES).describe('who has weighed'),
    grams: z.int(),
    at: time,
    fileIds: z.array(uuid).describe('photos of the display'),
  })
  .meta({ id: 'Weight' });

const Correction = z
  .object({
    state: z
      .enum(CORRECTION_STATES)
      .describe(
        'lighter: costs less. auto: costs more, within the ceiling. asked: the Bud decides. The others are what was decided',
      ),
    answeredBy: z
      .enum(['Bud', 'System'])
      .nullable()
      .describe('who decided: System when the Bud did not answer in time'),
    fromSize: size,
    toSize: size
      .nullable()
      .describe('the size that the weight fits; null when it is heavier than every size that is sold'),
    price: money.nullable().describe('what toSize costs in total; null without a size'),
    splits: z.boolean().describe('whether the Scrub would wash what fits the ceiling'),
    answerBy: time.nullable().describe('until when the Bud answers a question'),
    contestBy: time.nullable().describe('until when the Bud can say that the weight is wrong'),
    isContested: z.boolean(),
    answers: z
      .array(
        z.object({ answer: z.enum(CORRECTION_ANSWERS), price: money.describe('what the Bud pays then, in total') }),
      )
      .describe('what the caller can answer now; empty for a Scrub'),
  })
  .meta({ id: 'Correction' });
export type Correction = z.output<typeof Correction>;

export const Weighing = z
  .object({
    orderId: uuid,
    isWeighed: z.boolean().describe('whether the order is weighed: the town weighed laundry when it was placed'),
    size: size.describe('what was ordered, and what is charged once it is weighed'),
    ceilingSize: size.describe('the highest size that is charged without asking'),
    estimate: money.describe('what the order was to cost when it was placed'),
    atMost: money.describe('what is charged without asking, at most'),
    canWeigh: z.boolean().describe('whether the caller can weigh it now'),
    weighings: z.array(Weight).describe('those that count, oldest first; of a Duber once they have delivered'),
    correction: Correction.nullable().describe('null before it is weighed, and when the weight fits the size'),
  })
  .meta({ id: 'Weighing' });
export type Weighing = z.output<typeof Weighing>;

export const weighOrder = call({
  method: 'POST',
  path: '/scrub-orders/:id/weigh',
  who: ['Scrub'],
  idempotent: true,
  params: strict({ id: id('id') }),
  body: strict({
    grams,
    fileIds: photosOfScale,
    splits: flag('splits').default(false),
  }),
  answer: Weighing,
  status: 200,
  failures: ['notFound', 'wrongStatus', 'notWeighed', 'alreadyWeighed', 'laundryNotHere'],
  summary:
    'Say what the laundry weighs, with a photo of the scale. The card is charged for it, or the Bud is asked. `splits`: the Scrub would wash what fits the ceiling',
  spec: '4.1',
  example: { params: { id: ID }, body: { grams: 2400, fileIds: [ID], splits: true } },
});

export const weighDelivery = call({
  method: 'POST',
  path: '/deliveries/:id/weigh',
  who: ['Duber'],
  idempotent: true,
  params: strict({ id: id('id') }),
  body: strict({ grams, fileIds: photosOfScale }),
  answer: z.object({ deliveryId: uuid, grams: z.int(), at: time }),
  status: 200,
  failures: ['notFound', 'wrongStatus', 'notWeighed', 'alreadyWeighed'],
  summary:
    'Say what the laundry weighs on its way to the Scrub, with a photo of the scale. Only for orders that are weighed. It counts once the same Duber has delivered it',
  spec: '4.2',
  example: { params: { id: ID }, body: { grams: 2400, fileIds: [ID] } },
});

export const answerCorrection = call({
  method: 'POST',
  path: '/scrub-orders/:id/correction',
  who: ['Bud'],
  idempotent: true,
  params: strict({ id: id('id') }),
  body: strict({
    answer: oneOf(CORRECTION_ANSWERS, `answer must be one of ${CORRECTION_ANSWERS.join(', ')}`),
    words: optionalText('words', 1000, 'many').optional(),
    /** What the Bud was told that they pay then. It is refused when that has changed. */
    price: z.number({ error: 'price must be a number' }).min(0, { error: 'price must be at least 0' }).optional(),
    /** For `pay`: a new token of a card, or the id of a saved one. It is held for the whole price. */
    paymentSourceId: text({ required: 'A card is required', name: 'paymentSourceId', max: 255 }).optional(),
    verificationToken: text({
      required: 'verificationToken must be text',
      name: 'verificationToken',
      max: 255,
    }).optional(),
  }),
  answer: Weighing,
  status: 200,
  failures: [
    'notFound',
    'wrongStatus',
    'nothingAsked',
    'notSplit',
    'sizeNotSold',
    'priceChanged',
    'notChargedMore',
    'weightContested',
    'contestWeightOver',
    'cardGone',
    'cardDeclined',
    'tooManyDeclines',
    'cardNetworkAway',
  ],
  summary:
    'Answer when laundry is heavier than the ceiling: pay for its size, keep to the ceiling, or send it back unwashed. Or contest the weight within 24 hours after more was charged',
  spec: '4.1',
  example: { params: { id: ID }, body: { answer: 'keep', price: 34.41 } },
});

export const readWeighing = call({
  method: 'GET',
  path: '/scrub-orders/:id/weighing',
  who: ['Bud', 'Scrub'],
  params: strict({ id: id('id') }),
  answer: Weighing,
  status: 200,
  failures: ['notFound'],
  summary: 'What the laundry of an order weighs, and what that means for its price',
  spec: '4.1',
  example: { params: { id: ID } },
});
