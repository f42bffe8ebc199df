import { z } from 'zod';
import { ROLES, type Role } from '../domain/accounts.ts';
import {
  CASE_KINDS,
  CASE_PRIORITIES,
  CASE_STATUSES,
  type CasePersonAction,
  ITEM_KINDS,
  KINDS_OF_PEOPLE,
  MAX_CLAIM_ITEMS,
  OFFERS,
} from '../domain/cases.ts';
import { MAX_AGE_MONTHS } from '../domain/claims.ts';
import { CASE_CALL_ROWS } from '../domain/process/case.ts';
import { anyRole, call } from './call.ts';
import { actorRole, stepReport } from './exceptions.ts';
import { hasCents, id, longText, money, oneOf, optionalText, strict, text, time, uuid } from './fields.ts';
import { pageAnswer, pageQuery } from './lists.ts';

const ID = '0192f0c1-7a3b-7c4d-8e5f-0123456789ab';
const WORDS_MAXIMUM = 1000;
const DOLLARS_MAXIMUM = 10_000;

/** An amount that somebody types, in dollars with at most 2 decimals. */
export const dollars = (name: string, from: number) =>
  z
    .number({ error: `${name} must be an amount in dollars` })
    .refine((value) => value >= from && value <= DOLLARS_MAXIMUM, {
      error: `${name} must be from ${from === 0 ? '$0' : '$0.01'} to $${DOLLARS_MAXIMUM}`,
      params: { constraint: 'isAmount' },
    })
    .refine(hasCents, {
      error: `${name} must have at most 2 decimals`,
      params: { constraint: 'isAmount' },
    });

export const CaseItem = z
  .object({
    n: z.int().describe('1 for the first'),
    what: z.string(),
    kind: z.enum(ITEM_KINDS),
    worth: money.describe('what it cost new'),
    ageMonths: z.int(),
    asked: money.describe('what would be fair, as the Bud sees it'),
    decided: money.nullable().describe('what the town has decided'),
  })
  .meta({ id: 'CaseItem' });
export type CaseItem = z.output<typeof CaseItem>;

export const CaseEvent = z
  .object({
    action: z.string(),
    status: z.enum(CASE_STATUSES).describe('the status that it led to'),
    by: actorRole,
    words: z.string().nullable(),
    offer: z.enum(OFFERS).nullable(),
    amount: money.nullable().describe('what was offered, or given back with it'),
    fileIds: z.array(uuid),
    createdAt: time,
  })
  .meta({ id: 'CaseEvent' });
export type CaseEvent = z.output<typeof CaseEvent>;

const CASE = {
  id: uuid,
  no: z.string().describe('the number that people say, like C-207'),
  kind: z.enum(CASE_KINDS),
  reason: z.string().nullable(),
  status: z.enum(CASE_STATUSES),
  priority: z.enum(CASE_PRIORITIES),
  orderId: uuid.nullable(),
  deliveryId: uuid.nullable(),
  openedBy: actorRole.describe('System when it opened by itself'),
  aboutRole: z.enum(ROLES).nullable().describe('who is asked about it'),
  waitsFor: z
    .enum([...ROLES, 'Operator'])
    .nullable()
    .describe('whose turn it is'),
  dueAt: time.nullable().describe('when it goes on by itself'),
  asked: money,
  givenBack: money.describe('what goes back to the card because of it'),
  createdAt: time,
};

/** Something that went wrong: who is asked, and what was decided. */
export const Case = z.object(CASE).meta({ id: 'Case' });
export type Case = z.output<typeof Case>;

export const CaseDetails = z
  .object({
    ...CASE,
    offer: z
      .object({ kind: z.enum(OFFERS), amount: money.nullable() })
      .nullable()
      .describe('what was offered last'),
    items: z.array(CaseItem),
    events: z.array(CaseEvent).describe('oldest first'),
    actions: z.array(z.string()).describe('what the caller can do now'),
    callerPays: money.describe('what the caller pays of what goes back, from what they earned'),
    callerDeliveryId: uuid.nullable().describe('the delivery of the order that is the caller’s; null without one'),
    mostToGive: money.describe('what is left of what was paid for the order: more cannot go back to the card'),
    covered: money.describe(
      'what the caller, who is asked, has earned and not been paid: the town decides about a larger offer',
    ),
    cleanAgainCosts: money.describe(
      'what the deliveries would cost the caller, who is asked, if they clean the laundry again',
    ),
  })
  .meta({ id: 'CaseDetails' });
export type CaseDetails = z.output<typeof CaseDetails>;

export const listCases = call({
  method: 'GET',
  path: '/cases',
  who: anyRole,
  query: pageQuery,
  answer: pageAnswer(Case),
  status: 200,
  failures: [],
  summary: "The caller's cases, newest first: what they reported, and what they are asked about",
  spec: '7.3',
  example: { query: { pageNumber: '1', pageSize: '10' } },
});

export const readCase = call({
  method: 'GET',
  path: '/cases/:id',
  who: anyRole,
  params: strict({ id: id('id') }),
  answer: CaseDetails,
  status: 200,
  failures: ['notFound'],
  summary: 'A case of the caller, with its items and its history',
  spec: '7.3',
  example: { params: { id: ID } },
});

const claimItem = strict({
  what: text({ required: 'Say what it is', name: 'what', max: 100 }),
  kind: oneOf(ITEM_KINDS, 'Say what is wrong with it'),
  worth: dollars('worth', 0),
  ageMonths: z
    .int({ error: 'ageMonths must be a whole number' })
    .min(0, { error: 'ageMonths must be at least 0' })
    .max(MAX_AGE_MONTHS, { error: `ageMonths must be at most ${MAX_AGE_MONTHS}` }),
  asked: dollars('asked', 0),
});

const items = z
  .array(claimItem, { error: 'items must be a list' })
  .min(1, { error: 'Say what is wrong' })
  .max(MAX_CLAIM_ITEMS, { error: `At most ${MAX_CLAIM_ITEMS} items` });

/** The properties that each kind cannot do without. A Duber's phone may not say where it is: then the words do. */
const REQUIRED = {
  claim: { orderId: 'orderId is required', items: 'Say what is wrong' },
  question: { words: 'Write what it is about' },
  relay: { deliveryId: 'deliveryId is required', words: 'Say why you cannot go on' },
} as const;

export const createCase = call({
  method: 'POST',
  path: '/cases',
  who: anyRole,
  idempotent: true,
  body: strict({
    kind: oneOf(KINDS_OF_PEOPLE, `kind must be one of ${KINDS_OF_PEOPLE.join(', ')}`),
    orderId: id('orderId').optional(),
    deliveryId: id('deliveryId').optional(),
    items: items.optional(),
    words: optionalText('words', WORDS_MAXIMUM, 'many'),
    fileIds: stepReport.fileIds,
    place: stepReport.place,
  }).superRefine((body, context) => {
    for (const [property, message] of Object.entries(REQUIRED[body.kind] ?? {})) {
      if (body[property as keyof typeof body] == null)
        context.addIssue({ code: 'custom', path: [property], message, params: { constraint: 'isNotEmpty' } });
    }
  }),
  answer: CaseDetails,
  status: 201,
  failures: [
    'wrongRole',
    'notFound',
    'wrongStatus',
    'orderNotCompleted',
    'notDeliveredYet',
    'claimOver',
    'photoNeeded',
    'caseIsOpen',
    'tooManyCases',
  ],
  summary:
    'Report a problem: a claim about a delivered order (Bud), a delivery that its Duber cannot go on with, or a question',
  spec: '7.3',
  example: {
    body: {
      kind: 'claim',
      orderId: ID,
      items: [{ what: 'Blue shirt', kind: 'stained', worth: 40, ageMonths: 2, asked: 40 }],
      words: 'It has a stain of bleach on the sleeve.',
      fileIds: [ID],
    },
  },
});

const words = (required: string) => longText({ required, name: 'words', max: WORDS_MAXIMUM });

const CASE_STEP_BODIES = {
  answer: strict({
    offer: oneOf(OFFERS, `offer must be one of ${OFFERS.join(', ')}`),
    amount: dollars('amount', 0.01).optional(),
    words: words('Say what happened'),
    fileIds: stepReport.fileIds,
  }).superRefine(({ offer, amount }, context) => {
    if ((offer === 'give-back') === (amount !== undefined)) return;
    const message = amount === undefined ? 'Say how much you give back' : 'Only give-back has an amount';
    context.addIssue({ code: 'custom', path: ['amount'], message, params: { constraint: 'isAmount' } });
  }),
  'accept-offer': strict({}),
  'refuse-offer': strict({ words: words('Say what we should decide'), fileIds: stepReport.fileIds }),
  contest: strict({ words: words('Say what is wrong with the decision'), fileIds: stepReport.fileIds }),
  deny: strict({ words: words('Say what happened at the door'), fileIds: stepReport.fileIds }),
} as const satisfies Record<CasePersonAction, z.ZodObject>;

const CASE_STEP_TEXTS = {
  answer: {
    summary: 'Answer a claim: clean again, give money back, or say that it was like that before',
    failures: ['wrongStatus'],
    body: { offer: 'give-back', amount: 12.5, words: 'I am sorry, the bleach was mine.' },
  },
  'accept-offer': { summary: 'Accept what was offered. It happens at once', failures: ['wrongStatus'], body: {} },
  'refuse-offer': {
    summary: 'Refuse what was offered: the town decides',
    failures: ['wrongStatus'],
    body: { words: 'It cost twice as much.' },
  },
  contest: {
    summary: 'Contest a decision of the town, once, within 7 days, by the side that bears it',
    failures: ['wrongStatus', 'notYoursToContest', 'alreadyContested', 'contestOver', 'caseIsOpen'],
    body: { words: 'The stain is on the photo of the bag, too.' },
  },
  deny: {
    summary:
      'Say that a pickup or a drop-off did not fail as its Duber says, once. What the Duber is paid for it then waits for the town',
    failures: ['wrongStatus'],
    body: { words: 'I was at home all day, and nobody rang.' },
  },
} as const;

type RolesOf<A> = Extract<(typeof CASE_CALL_ROWS)[number], { action: A }>['by'];
const rolesOf = <A extends CasePersonAction>(action: A) =>
  [...new Set(CASE_CALL_ROWS.filter((row) => row.action === action).map(({ by }): Role => by))] as RolesOf<A>[];

function defineCaseStep<A extends CasePersonAction>(action: A) {
  const { summary, failures, body } = CASE_STEP_TEXTS[action];
  return call({
    method: 'POST',
    path: `/cases/:id/${action}`,
    who: rolesOf(action),
    idempotent: true,
    params: strict({ id: id('id') }),
    body: CASE_STEP_BODIES[action],
    answer: CaseDetails,
    status: 200,
    failures: ['notFound', ...failures],
    summary,
    spec: '7.3',
    example: { params: { id: ID }, body },
  });
}

/** One call per action of CASE_ROWS that people take. */
export const caseSteps = Object.fromEntries(CASE_CALL_ROWS.map(({ action }) => [action, defineCaseStep(action)])) as {
  [A in CasePersonAction]: ReturnType<typeof defineCaseStep<A>>;
};
