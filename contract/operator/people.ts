import { z } from 'zod';
import { ROLES } from '../../domain/accounts.ts';
import { ERASURE_STATUSES } from '../../domain/erasures.ts';
import { WAYS_HOME } from '../../domain/orders.ts';
import { RESTRICTION_KINDS, SUSPENSION_STATUSES, WORK_CHOICES } from '../../domain/restrictions.ts';
import { id, instant, longText, money, oneOf, searchText, strict, time, uuid } from '../fields.ts';
import { AuditRow } from './audit.ts';
import { act, operatorCall } from './call.ts';
import { wayHomeFields } from './orderActs.ts';
import { pageInQuery, pageOf } from './pages.ts';

const ID = '0192f0c1-7a3b-7c4d-8e5f-0123456789ab';
const params = strict({ id: id('id') });

export const PERSON_STATES = ['active', 'suspended', 'held'] as const;
export type PersonState = (typeof PERSON_STATES)[number];

/** A person of the marketplace in a list, without contacts. */
export const PersonRow = z
  .object({
    id: uuid,
    fullname: z.string(),
    role: z.enum(ROLES),
    state: z.enum(PERSON_STATES).describe('held: kept from something without being suspended'),
    createdAt: time,
    rating: z.number().nullable(),
    ratingCount: z.int(),
  })
  .meta({ id: 'PersonRow' });
export type PersonRow = z.output<typeof PersonRow>;

export const PEOPLE_PAGE = 50;

export const listPeople = operatorCall({
  method: 'GET',
  path: '/operator/people',
  permission: 'see',
  query: strict({
    role: oneOf(ROLES, `role must be one of ${ROLES.join(', ')}`).optional(),
    state: oneOf(PERSON_STATES, `state must be one of ${PERSON_STATES.join(', ')}`).optional(),
    q: searchText('q', 100).optional(),
    page: pageInQuery(200),
  }),
  answer: pageOf(PersonRow, PEOPLE_PAGE).meta({ id: 'People' }),
  status: 200,
  failures: [],
  summary: 'People, newest first. `q` is the beginning of a name, or a whole e-mail address',
  example: { query: { q: 'Ada' } },
});

const who = z.object({ id: uuid.nullable(), name: z.string() });

export const Hold = z
  .object({
    kind: z.enum(RESTRICTION_KINDS),
    reason: z.string(),
    from: time,
    by: who.nullable().describe('null for one of admission or of an erasure, which the server sets'),
    isOfSuspension: z.boolean(),
    isOfAdmission: z.boolean().describe('it ends once the person is admitted'),
    isOfErasure: z.boolean().describe('the account is going to be erased, or is: it ends when its owner keeps it'),
    liftedAt: time.nullable(),
    liftedBy: who.nullable().describe('null while it holds, and when its suspension ended by itself'),
  })
  .meta({ id: 'Hold' });
export type Hold = z.output<typeof Hold>;

export const Suspension = z
  .object({
    id: uuid,
    reason: z.string(),
    status: z.enum(SUSPENSION_STATUSES),
    from: time,
    until: time.describe('when it ends by itself'),
    by: who,
    endedAt: time.nullable(),
    endedBy: who.nullable(),
  })
  .meta({ id: 'Suspension' });
export type Suspension = z.output<typeof Suspension>;

/** A piece of a person's open work. */
export const OpenWorkItem = z
  .object({
    kind: z.enum(['order', 'delivery']),
    id: uuid,
    orderId: uuid,
    orderNumber: z.string(),
    status: z.string(),
    other: z.string().describe('who it is done for, or who does it'),
    choices: z.array(z.enum(WORK_CHOICES)).describe('what can become of it when the person is suspended'),
    waysHome: z.array(z.enum(WAYS_HOME)).describe('the values of `wayHome`, of which one is needed to cancel it'),
  })
  .meta({ id: 'OpenWorkItem' });
export type OpenWorkItem = z.output<typeof OpenWorkItem>;

const Rating = z.object({ rating: z.int(), message: z.string(), from: z.string(), orderNumber: z.string(), at: time });
const WorkRow = z.object({
  kind: z.enum(['order', 'delivery']),
  id: uuid,
  orderId: uuid,
  orderNumber: z.string(),
  status: z.string(),
  createdAt: time,
});
const Device = z.object({ browser: z.string().nullable(), network: z.string().nullable(), lastUsedAt: time });
const Message = z.object({ kind: z.string(), channel: z.string(), state: z.string(), at: time });
const CaseOfPerson = z.object({ id: uuid, no: z.int(), kind: z.string(), status: z.string(), createdAt: time });
const Count = z.object({ what: z.string(), count: z.int() });

/** All that operators see of a person at once, except for the contacts. Each list has the latest only. */
export const Person = PersonRow.extend({
  isVisible: z.boolean().describe('of a Scrub: whether they want to be found'),
  erasure: z
    .object({ status: z.enum(ERASURE_STATUSES), since: time, dueAt: time.describe('when it is erased') })
    .nullable()
    .describe('null for an account that nobody has asked to erase'),
  suspension: Suspension.nullable().describe('while suspended'),
  suspensions: z.array(Suspension).max(20).describe('those that are over'),
  holds: z.array(Hold).max(50).describe('now and before, newest first'),
  openWork: z.array(OpenWorkItem).max(200),
  orderCounts: z.array(Count),
  deliveryCounts: z.array(Count),
  unplanned: z.array(Count).describe('what did not go as planned, by what the person did'),
  money: z
    .object({ owed: money.describe('earned and not paid out'), waits: money.describe('the part of it that waits') })
    .nullable()
    .describe('null for a Bud'),
  ratings: z.array(Rating).max(20),
  latestWork: z.array(WorkRow).max(20),
  devices: z.array(Device).max(100),
  messages: z.array(Message).max(30).describe('about their latest orders and deliveries'),
  cases: z.array(CaseOfPerson).max(20),
  audit: z.array(AuditRow).max(20),
}).meta({ id: 'PersonForTown' });
export type Person = z.output<typeof Person>;

export const readPerson = operatorCall({
  method: 'GET',
  path: '/operator/people/:id',
  permission: 'see',
  params,
  answer: Person,
  status: 200,
  failures: ['notFound'],
  summary: 'A person: state, holds, ratings, open work, money, devices, messages, cases and what operators did',
  example: { params: { id: ID } },
});

export const showContact = act({
  path: '/operator/people/:id/contact/show',
  permission: 'see',
  act: { subject: 'person' },
  params,
  failures: ['notFound'],
  summary: 'Say why you need to know the contact of a person. You can read it for 15 minutes',
  example: { params: { id: ID }, body: { reason: 'I have to call them about R-1042' } },
});

export const readContact = operatorCall({
  method: 'GET',
  path: '/operator/people/:id/contact',
  permission: 'see',
  params,
  answer: z
    .object({
      fullname: z.string().optional().describe('of a person who was erased: the name that the law keeps'),
      email: z.string(),
      phone: z.string().nullable(),
      addresses: z.array(z.object({ label: z.string(), address: z.string() })).max(20),
      until: time.describe('until when it can be read without saying why again'),
    })
    .meta({ id: 'PersonContact' }),
  status: 200,
  failures: ['notFound', 'contactHidden', 'keyMissing'],
  summary:
    'The contact of a person, or what the law keeps of one who was erased, for who said why within the last 15 minutes',
  example: { params: { id: ID } },
});

const choice = strict({
  kind: z.enum(['order', 'delivery'], { error: 'kind must be order or delivery' }),
  id: id('id'),
  choice: z.enum(WORK_CHOICES, { error: `choice must be one of ${WORK_CHOICES.join(', ')}` }),
  ...wayHomeFields,
});
const words = longText({ required: 'Say what the others read', name: 'The words', max: 500 }).optional();

export const suspend = act({
  path: '/operator/people/:id/suspend',
  permission: 'help',
  act: { subject: 'person' },
  params,
  body: {
    signIn: z
      .boolean({ error: 'signIn must be true or false' })
      .optional()
      .describe('without it, they cannot sign in unless they are to finish something'),
    choices: z.array(choice, { error: 'Decide about all open work' }).max(200, 'choices must be at most 200'),
    words,
  },
  failures: ['notFound', 'wrongStatus', 'workChanged', 'laundryMoved', 'laundryOnBoard'],
  summary:
    'Keep a person from new work and from payouts for 14 days, and with `signIn` also from signing in. Every piece of open work is decided about',
  example: {
    params: { id: ID },
    body: { signIn: true, choices: [{ kind: 'order', id: ID, choice: 'another' }], reason: 'Three stains in a week' },
  },
});

export const reinstate = act({
  path: '/operator/people/:id/reinstate',
  permission: 'help',
  act: { subject: 'person', approval: 'depends' },
  params,
  failures: ['notFound', 'wrongStatus', 'notYourOwn'],
  summary: 'End a suspension that another operator imposed, or that one who runs the town alone did. Other holds stay',
  example: { params: { id: ID }, body: { reason: 'It was somebody else' } },
});

export const extendSuspension = act({
  path: '/operator/people/:id/extend',
  permission: 'help',
  act: { subject: 'person', approval: 'always' },
  params,
  body: { until: instant('until') },
  failures: ['notFound', 'wrongStatus'],
  summary: 'Keep a suspension longer than 14 days. Needs a second operator',
  example: { params: { id: ID }, body: { until: '2030-01-05T18:00:00.000Z', reason: 'The claim is still open' } },
});

const kind = z.enum(RESTRICTION_KINDS, { error: `kind must be one of ${RESTRICTION_KINDS.join(', ')}` });

export const holdPerson = act({
  path: '/operator/people/:id/hold',
  permission: 'help',
  act: { subject: 'person' },
  params,
  body: { kind },
  failures: ['notFound', 'wrongStatus'],
  summary: 'Keep a person from one thing until it is lifted. Open work goes on',
  example: { params: { id: ID }, body: { kind: 'payout', reason: 'The bank account is not theirs' } },
});

export const liftHold = act({
  path: '/operator/people/:id/lift',
  permission: 'help',
  act: { subject: 'person', approval: 'depends', alone: 'waits' },
  params,
  body: { kind },
  failures: ['notFound', 'wrongStatus'],
  summary: 'Lift a hold. One of payouts needs a second operator; those of a suspension end with it',
  example: { params: { id: ID }, body: { kind: 'payout', reason: 'The bank account is theirs' } },
});

export const signOutPerson = act({
  path: '/operator/people/:id/sign-out',
  permission: 'help',
  act: { subject: 'person' },
  params,
  failures: ['notFound'],
  summary: 'Sign a person out everywhere, at once',
  example: { params: { id: ID }, body: { reason: 'Their phone was stolen' } },
});

export const erasePerson = act({
  path: '/operator/people/:id/erase',
  permission: 'admin',
  act: { subject: 'person', approval: 'always' },
  params,
  failures: ['notFound', 'wrongStatus', 'somethingOpen'],
  summary:
    'Erase an account in 14 days, on a letter of its owner. Needs a second operator; the owner can still keep it',
  example: { params: { id: ID }, body: { reason: 'Their letter of 3 March' } },
});

export const notePerson = act({
  path: '/operator/people/:id/note',
  permission: 'help',
  act: { subject: 'person' },
  params,
  failures: ['notFound'],
  summary: 'Write something down about a person. Only operators read it',
  example: { params: { id: ID }, body: { reason: 'Called, and will call back' } },
});
