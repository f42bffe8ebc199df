import { z } from 'zod';
import { CASE_STATUSES, MAX_CLAIM_ITEMS } from '../../domain/cases.ts';
import { LIABLE_PARTIES } from '../../domain/ledger.ts';
import { Case, CaseEvent, CaseItem, dollars } from '../cases.ts';
import { id, longText, money, oneOf, orderNumber, strict, uuid } from '../fields.ts';
import { act, operatorCall } from './call.ts';
import { pageInQuery, pageOf } from './pages.ts';

const ID = '0192f0c1-7a3b-7c4d-8e5f-0123456789ab';
const params = strict({ id: id('id') });
const person = z.object({ id: uuid, name: z.string() });

/** What the inbox shows: every case that is open, or those of one status. */
export const CASE_STATES = ['open', ...CASE_STATUSES] as const;
export type CaseState = (typeof CASE_STATES)[number];
export const CASES_PAGE = 50;
/** An order that is cleaned again and again has many. */
export const MAX_DUBERS = 50;

/** A case in the inbox of the town. */
export const TownCase = z
  .object({
    ...Case.shape,
    orderNumber: orderNumber.nullable(),
    openedByName: z.string().nullable().describe('null when it opened by itself'),
    aboutName: z.string().nullable().describe('who is asked about it'),
  })
  .meta({ id: 'TownCase' });
export type TownCase = z.output<typeof TownCase>;

export const listTownCases = operatorCall({
  method: 'GET',
  path: '/operator/cases',
  permission: 'see',
  query: strict({
    state: oneOf(CASE_STATES, `state must be one of ${CASE_STATES.join(', ')}`).optional(),
    page: pageInQuery(),
  }),
  answer: pageOf(TownCase, CASES_PAGE).meta({ id: 'TownCases' }),
  status: 200,
  failures: [],
  summary:
    'What went wrong: what waits for the town first, urgent before the rest, oldest first. Ended cases newest first',
  example: { query: { state: 'with-town' } },
});

const TownCaseItem = z
  .object({ ...CaseItem.shape, liable: z.enum(LIABLE_PARTIES).nullable().describe('who bears what was decided') })
  .meta({ id: 'TownCaseItem' });
const TownCaseEvent = z
  .object({
    ...CaseEvent.shape,
    name: z.string().nullable().describe('of who did it; null for what happened by itself'),
    place: z
      .object({ latitude: z.number(), longitude: z.number() })
      .nullable()
      .describe('where a Duber was who cannot go on; null when their phone did not say it'),
  })
  .meta({ id: 'TownCaseEvent' });
export type TownCaseEvent = z.output<typeof TownCaseEvent>;

export const TownCaseDetails = z
  .object({
    ...TownCase.shape,
    people: z
      .object({ bud: person, scrub: person, duber: person.nullable() })
      .nullable()
      .describe('of the order; the Duber is that of the delivery. Null for a question about no order'),
    dubers: z
      .array(z.object({ deliveryId: uuid, name: z.string() }))
      .max(MAX_DUBERS)
      .describe('who has had the laundry of the order, each with a delivery of theirs'),
    offer: z.object({ kind: z.string(), amount: money.nullable() }).nullable().describe('what was offered last'),
    items: z.array(TownCaseItem),
    events: z.array(TownCaseEvent).describe('oldest first'),
    caps: z.object({ garment: money, order: money }).describe('what an item and a whole order can be given at most'),
    left: money.nullable().describe('what can still go back to the card; null when it was not charged'),
    trips: money.describe('what a Duber is paid for a trip without laundry that waits, or waited, for this case'),
    limit: money.describe('what an operator gives back of one order alone. more needs the approval of another one'),
  })
  .meta({ id: 'TownCaseDetails' });
export type TownCaseDetails = z.output<typeof TownCaseDetails>;

export const readTownCase = operatorCall({
  method: 'GET',
  path: '/operator/cases/:id',
  permission: 'see',
  params,
  answer: TownCaseDetails,
  status: 200,
  failures: ['notFound'],
  summary: 'A case with its items and its history, and what can be given back',
  example: { params: { id: ID } },
});

const words = longText({ required: 'Say what the people of the case read', name: 'The words', max: 1000 });

export const decideCase = act({
  path: '/operator/cases/:id/decide',
  permission: 'help',
  act: { subject: 'case', takesCode: true },
  params,
  body: {
    items: z
      .array(
        strict({
          n: z.int({ error: 'n must be the number of an item' }).min(1, { error: 'n must be the number of an item' }),
          amount: dollars('amount', 0),
          liable: oneOf(LIABLE_PARTIES, `liable must be one of ${LIABLE_PARTIES.join(', ')}`),
          deliveryId: id('deliveryId')
            .optional()
            .describe('whose Duber bears it; needed when the case is about no Duber and several had the laundry'),
        }),
        { error: 'items must be a list' },
      )
      .max(MAX_CLAIM_ITEMS, { error: `At most ${MAX_CLAIM_ITEMS} items` }),
    words,
  },
  failures: ['notFound', 'wrongStatus'],
  summary:
    'Decide a case that is with the town: what each item is given and who bears it. Items that are not named get nothing. What goes back to the card does so at once; above the limit, another operator must approve it first',
  example: {
    params: { id: ID },
    body: {
      items: [{ n: 1, amount: 12.5, liable: 'scrub' }],
      words: 'The photo shows the stain. You get back what the shirt was worth.',
      reason: 'The stain is not on the photo of the bag',
    },
  },
});

export const closeCase = act({
  path: '/operator/cases/:id/close',
  permission: 'help',
  act: { subject: 'case' },
  params,
  body: {
    words,
    takesBackTrip: z
      .boolean({ error: 'takesBackTrip must be true or false' })
      .optional()
      .describe('true when the Duber is not paid for the trip that waits for it'),
  },
  failures: ['notFound', 'wrongStatus'],
  summary: 'Close a case that is with the town, without a decision. What waits for it is payable, or taken back',
  example: { params: { id: ID }, body: { words: 'You have found it.', reason: 'The Bud called: the sock was found' } },
});

export const readTownFile = operatorCall({
  method: 'GET',
  path: '/operator/files/:id',
  permission: 'see',
  answersFile: 'photo',
  params,
  answer: z.instanceof(Blob),
  status: 200,
  failures: ['notFound'],
  summary: 'A photo of a case, a hand-over, a delivery or a weighing',
  example: { params: { id: ID } },
});
