import { z } from 'zod';
import { MAX_CLOSURE_WORDS } from '../../domain/hours.ts';
import { OTHER_SERVICES } from '../../domain/services.ts';
import { SETTING_DEFAULTS } from '../../domain/settings.ts';
import { instant, longText, money, oneOf, text, time } from '../fields.ts';
import { act, operatorCall } from './call.ts';
import { touchedField, zoneField } from './hours.ts';

export const Town = z
  .object({
    pause: z
      .object({ until: time, words: z.string() })
      .nullable()
      .describe('until when no new orders are taken, and what people read; null while the town is open'),
    closed: z
      .object({ until: time, words: z.string() })
      .nullable()
      .describe('until when the town is closed, in a pause, in a closure or outside its hours; null while it is open'),
    refundLimitOrder: money.describe('what may be given back of one order without a second operator'),
    refundLimitDay: money.describe('what one operator may give back in a day without a second one'),
    platformPayWeek: money.describe('what the platform pays one Duber in seven days before the town looks at more'),
    timeZone: z.string().describe('where days and weeks begin'),
    services: z.array(z.enum(OTHER_SERVICES)).describe('what the town offers besides wash and fold'),
    needsSetUp: z.boolean().describe('whether nobody has set the town up, and there was no order'),
    runsAlone: z
      .boolean()
      .describe('whether the caller runs the town: a code and a mail to the town stand in for a second operator'),
    hasOrders: z.boolean().describe('whether an order was ever placed; before, changes hold at once'),
  })
  .meta({ id: 'Town' });
export type Town = z.output<typeof Town>;

export const readTown = operatorCall({
  method: 'GET',
  path: '/operator/town',
  permission: 'operator',
  answer: Town,
  status: 200,
  failures: [],
  summary: 'Whether the town is open, and its limits',
});

const until = instant('until');

export const pauseTown = act({
  path: '/operator/town/pause',
  permission: 'dispatch',
  act: { subject: 'town' },
  body: {
    until,
    words: longText({ required: 'Say what people read', name: 'The words', max: MAX_CLOSURE_WORDS }),
    ...zoneField,
    ...touchedField,
  },
  failures: ['wrongStatus', 'ordersTouched', 'windowGone', 'notFound'],
  summary: 'Take no new orders for a while, in the town or in one zone. Orders that are under way go on',
  example: {
    body: { until: '2030-01-05T18:00:00.000Z', words: 'We open again tomorrow at 8', reason: 'There is a storm' },
  },
});

export const openTown = act({
  path: '/operator/town/open',
  permission: 'dispatch',
  act: { subject: 'town' },
  body: zoneField,
  failures: ['wrongStatus', 'notFound'],
  summary: 'Take orders again, in the town, or in a zone that is closed now',
  example: { body: { reason: 'The storm is over' } },
});

const limit = (name: string) =>
  z
    .number({ error: `${name} must be an amount in dollars` })
    .min(0, { error: `${name} must be at least $0` })
    .max(10_000, { error: `${name} must be at most $10000` });

export const setLimits = act({
  path: '/operator/town/limits',
  permission: 'admin',
  act: { subject: 'town', takesCode: true, approval: 'always', alone: 'waits-after-first-order' },
  body: {
    refundLimitOrder: limit('refundLimitOrder'),
    refundLimitDay: limit('refundLimitDay'),
    platformPayWeek: limit('platformPayWeek').optional(),
  },
  failures: [],
  summary:
    'How much an operator may give back alone, and how much Dubers are paid by the platform. Needs a second operator',
  example: {
    body: {
      refundLimitOrder: SETTING_DEFAULTS.refundLimitOrder / 100,
      refundLimitDay: SETTING_DEFAULTS.refundLimitDay / 100,
      reason: 'Fewer small refunds wait',
    },
  },
});

export const setTimeZone = act({
  path: '/operator/town/time-zone',
  permission: 'admin',
  act: { subject: 'town', takesCode: true, approval: 'always', alone: 'waits-after-first-order' },
  body: { timeZone: text({ required: 'Choose a time zone', name: 'The time zone', max: 64 }) },
  failures: [],
  summary: 'Where days and weeks begin. Needs a second operator',
  example: { body: { timeZone: 'America/New_York', reason: 'The town is there' } },
});

const service = oneOf(OTHER_SERVICES, `A service is one of ${OTHER_SERVICES.join(', ')}`);

export const setServices = act({
  path: '/operator/town/services',
  permission: 'prices',
  act: { subject: 'town' },
  body: {
    services: z
      .array(service, { error: 'services must be a list' })
      .max(OTHER_SERVICES.length, { error: `services must have at most ${OTHER_SERVICES.length} entries` }),
  },
  failures: [],
  summary: 'What the public pages offer besides wash and fold. They say of the others that they are not offered here',
  example: { body: { services: ['delicate'], reason: 'Nobody here has a dry cleaner' } },
});
