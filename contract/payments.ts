import { z } from 'zod';
import { ROLES } from '../domain/accounts.ts';
import { LARGER_SIZES } from '../domain/orders.ts';
import { TAX_ROUNDINGS } from '../domain/payments.ts';
import { REVIEW_TYPES } from '../domain/reviews.ts';
import { OTHER_SERVICES } from '../domain/services.ts';
import { call } from './call.ts';
import { id, money, rating, strict, time } from './fields.ts';

// spec 3
export const Price = z
  .object({
    loadPrice: money,
    delivery: money.describe('the fee for the delivery back to the Bud, in dollars'),
    pickup: money.describe('the fee for the delivery to the Scrub, in dollars'),
    platformFee: money,
    taxes: money,
    totalPrice: money,
  })
  .meta({ id: 'Price' });
export type Price = z.output<typeof Price>;

/** What the installation charges, in dollars and percent, for the pages that anyone can read. */
const PublicPrices = z.object({
  perPound: z.object({ washAndFold: money, dryCleaning: money, delicate: money }),
  pickup: money,
  delivery: money,
  platformFeePercent: z.number(),
  taxPercent: z.number(),
  taxRounding: z.enum(TAX_ROUNDINGS).optional().describe('once for the order, where it is missing'),
});
export type PublicPrices = z.output<typeof PublicPrices>;

/** A made-up person that visitors of the demo sign in as. */
const DemoAccount = z.object({ role: z.enum(ROLES), email: z.string(), password: z.string() });
export type DemoAccount = z.output<typeof DemoAccount>;

const MAX_DEMO_REVIEWS = REVIEW_TYPES.length;

/** What a made-up person of the demo wrote about another one. */
const DemoReview = z.object({
  type: z.enum(REVIEW_TYPES),
  author: z.string().describe('the first name'),
  rating,
  message: z.string(),
});
export type DemoReview = z.output<typeof DemoReview>;

/** The configuration of the installation for the browser. It has no secrets. */
export const PublicConfig = z
  .object({
    square: z.object({ applicationId: z.string(), locationId: z.string(), webSdkUrl: z.string() }),
    mapbox: z.object({ token: z.string(), baseUrl: z.string() }),
    mapStyleUrl: z.string(),
    supportEmail: z.string(),
    town: z
      .object({
        name: z.string(),
        legalName: z.string().nullable(),
        address: z.string().nullable(),
        taxNumber: z.string().nullable(),
        phone: z.string().nullable(),
      })
      .describe('how the town is called, and who runs it, for receipts; null where operators have not said'),
    demo: z.boolean(),
    isDemoLive: z
      .boolean()
      .optional()
      .describe(
        'true where demo people act by themselves: they accept, wash and deliver what visitors order from them',
      ),
    demoAccounts: z
      .array(DemoAccount)
      .optional()
      .describe('demo people to sign in as, one of each role; only where nobody but this machine reaches the server'),
    demoOperator: z
      .object({ email: z.string(), password: z.string() })
      .optional()
      .describe('the operator of the demo, where there are demoAccounts'),
    demoReviews: z
      .array(DemoReview)
      .max(MAX_DEMO_REVIEWS)
      .optional()
      .describe('reviews between demo people, never by or about anyone else; only once the demo is complete'),
    isDemoPreparing: z
      .boolean()
      .optional()
      .describe('true during a first start, while the demo is added; until then other calls answer 503'),
    standIns: z.array(z.enum(['square', 'places', 'map', 'mail'])).describe('third parties that the sandbox replaces'),
    prices: PublicPrices.describe('the prices in force now'),
    notOffered: z
      .array(z.enum(OTHER_SERVICES))
      .optional()
      .describe('the services of the FAQ that the town does not offer; absent when it offers all'),
    claimCaps: z.object({ garment: money, order: money }).describe('what a claim is given at most, in dollars'),
    largerSizes: z
      .array(z.object({ size: z.enum(LARGER_SIZES), pounds: z.int().describe('what is charged') }))
      .optional()
      .describe('the sizes beyond Large that are sold now, the smallest first; absent when there are none'),
    weighsLaundry: z.boolean().optional().describe('true where laundry is weighed before the card is charged'),
    startsWithLaundry: z
      .boolean()
      .optional()
      .describe('true where a Scrub starts an order only once its laundry has arrived'),
    asksProof: z
      .boolean()
      .optional()
      .describe('true where laundry changes hands only with a proof, so that a step without one is refused'),
    roundsPlaces: z
      .boolean()
      .optional()
      .describe('true where people who have not accepted the work see rounded places, so that distances are rough'),
    asksDocuments: z.boolean().optional().describe('true where workers send documents before they work'),
    timeZone: z.string().optional().describe('where the town is, for the windows of orders; UTC when it is missing'),
    pause: z
      .object({ until: time, words: z.string() })
      .optional()
      .describe('until when no new orders are taken, and what people read; absent while they are taken'),
  })
  .meta({ id: 'PublicConfig' });
export type PublicConfig = z.output<typeof PublicConfig>;

export const readConfig = call({
  method: 'GET',
  path: '/config',
  who: 'anyone',
  answer: PublicConfig,
  status: 200,
  failures: [],
  summary: 'Public configuration for the browser',
  spec: '9',
});

const MOVEMENT_KINDS = ['held', 'charged', 'released', 'refunded'] as const;

/** What happened to the money of an order. The order itself says what it was for. */
const Receipt = z
  .object({
    card: z
      .object({ brand: z.string().nullable(), last4: z.string().nullable() })
      .describe('as the card network names it; null where it did not'),
    movements: z
      .array(
        z.object({
          ...{ kind: z.enum(MOVEMENT_KINDS), amount: money, at: time },
          reason: z.string().optional().describe('why it was refunded'),
        }),
      )
      .describe('oldest first'),
    pending: z.enum(['charge', 'release']).nullable().describe('what the card network has not confirmed yet'),
    taxPercent: z
      .number()
      .nullable()
      .describe('the rate of the taxes in its price; null for orders of earlier releases'),
  })
  .meta({ id: 'Receipt' });
export type Receipt = z.output<typeof Receipt>;

export const readReceipt = call({
  method: 'GET',
  path: '/scrub-orders/:id/receipt',
  who: ['Bud'],
  params: strict({ id: id('id') }),
  answer: Receipt,
  status: 200,
  failures: ['notFound'],
  summary: "The card of one of the caller's orders, and what was held, charged, released and refunded",
  spec: '6',
  example: { params: { id: '0192f0c1-7a3b-7c4d-8e5f-0123456789ab' } },
});
