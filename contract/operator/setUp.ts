import { z } from 'zod';
import { DOCUMENT_KINDS, WORKER_ROLES } from '../../domain/admissions.ts';
import { PRICE_ITEMS } from '../../domain/payments.ts';
import { POLICY_NAMES, PRESETS } from '../../domain/policies.ts';
import { CONNECTION_USES, CONNECTION_VARIABLES, CONNECTIONS, SET_UP_SECTIONS } from '../../domain/setUp.ts';
import { flag, oneOf, strict, text, time } from '../fields.ts';
import { act, operatorCall } from './call.ts';

const MAX_VARIABLES = Math.max(...Object.values(CONNECTION_VARIABLES).map((names) => names.length));

/** A third party: whether it is real, and the names of its environment variables. Never their values. */
export const TownConnection = z
  .object({
    name: z.enum(CONNECTIONS),
    use: z.enum(CONNECTION_USES),
    variables: z.array(z.object({ name: z.string(), isSet: z.boolean() })).max(MAX_VARIABLES),
  })
  .meta({ id: 'TownConnection' });
export type TownConnection = z.output<typeof TownConnection>;

export const TownSetUp = z
  .object({
    answered: z.array(z.enum(SET_UP_SECTIONS)).max(SET_UP_SECTIONS.length),
    done: z
      .object({ by: z.string(), at: time })
      .nullable()
      .describe('who has opened the town, and when; null while nobody has'),
    connections: z.array(TownConnection).max(CONNECTIONS.length),
    documents: z
      .array(
        z.object({ role: z.enum(WORKER_ROLES), kinds: z.array(z.enum(DOCUMENT_KINDS)).max(DOCUMENT_KINDS.length) }),
      )
      .max(WORKER_ROLES.length)
      .describe('what each role sends where documents are required'),
  })
  .meta({ id: 'TownSetUp' });
export type TownSetUp = z.output<typeof TownSetUp>;

export const readSetUp = operatorCall({
  method: 'GET',
  path: '/operator/set-up',
  permission: 'admin',
  answer: TownSetUp,
  status: 200,
  failures: [],
  summary: 'How far the set-up of the town is, and which third parties are real',
});

const price = strict({
  item: oneOf(PRICE_ITEMS, `An item is one of ${PRICE_ITEMS.join(', ')}`),
  value: z.number({ error: 'value must be a number' }),
});
const policy = strict({
  name: oneOf(POLICY_NAMES, `A policy is one of ${POLICY_NAMES.join(', ')}`),
  value: oneOf(PRESETS, `A policy is one of ${PRESETS.join(', ')}`),
});
const section = oneOf(SET_UP_SECTIONS, `A section is one of ${SET_UP_SECTIONS.join(', ')}`);

export const setUpTown = act({
  path: '/operator/set-up/answer',
  permission: 'admin',
  act: { subject: 'town', takesCode: true, approval: 'depends' },
  body: {
    answered: z.array(section, { error: 'answered must be a list' }).max(SET_UP_SECTIONS.length),
    timeZone: text({ required: 'Choose a time zone', name: 'The time zone', max: 64 }).optional(),
    policies: z.array(policy, { error: 'policies must be a list' }).max(POLICY_NAMES.length).optional(),
    prices: z.array(price, { error: 'prices must be a list' }).max(PRICE_ITEMS.length).optional(),
    isDone: flag('isDone').optional().describe('true opens the town: nobody is led to the set-up any more'),
  },
  failures: [],
  summary:
    'Answer sections of the set-up: time zone, policies and prices in one step. Needs a second operator where there is one. Prices and policies hold at once until the first order, and then from the next day',
  example: { body: { answered: ['town'], timeZone: 'America/New_York', reason: 'Set-up' } },
});

export const ConnectionTest = z
  .object({ isWorking: z.boolean(), words: z.string().describe('what works, or what to do') })
  .meta({ id: 'ConnectionTest' });
export type ConnectionTest = z.output<typeof ConnectionTest>;

export const testConnection = operatorCall({
  method: 'POST',
  path: '/operator/connections/test',
  permission: 'admin',
  body: strict({ name: oneOf(CONNECTIONS, `A connection is one of ${CONNECTIONS.join(', ')}`) }),
  answer: ConnectionTest,
  status: 200,
  failures: ['tooMany'],
  summary: 'Try a third party. Charges nothing; a mail goes to the operator who asks',
  example: { body: { name: 'card' } },
});
