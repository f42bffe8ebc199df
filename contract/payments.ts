import { z } from 'zod';
import { ROLES } from '../domain/accounts.ts';
import { call } from './call.ts';
import { money } from './fields.ts';

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
});
export type PublicPrices = z.output<typeof PublicPrices>;

/** A made-up person that visitors of the demo sign in as. */
const DemoAccount = z.object({ role: z.enum(ROLES), email: z.string(), password: z.string() });
export type DemoAccount = z.output<typeof DemoAccount>;

/** The configuration of the installation for the browser. It has no secrets. */
export const PublicConfig = z
  .object({
    square: z.object({ applicationId: z.string(), locationId: z.string(), webSdkUrl: z.string() }),
    mapbox: z.object({ token: z.string(), baseUrl: z.string() }),
    mapStyleUrl: z.string(),
    supportEmail: z.string(),
    demo: z.boolean(),
    demoAccounts: z
      .array(DemoAccount)
      .optional()
      .describe('demo people to sign in as, one of each role; only where nobody but this machine reaches the server'),
    standIns: z.array(z.enum(['square', 'places', 'map', 'mail'])).describe('third parties that the sandbox replaces'),
    prices: PublicPrices.describe('the prices in force now'),
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
