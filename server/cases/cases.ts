import { sql } from 'kysely';
import type { CaseDetails } from '../../contract/cases.ts';
import type { Failure } from '../../contract/failures.ts';
import type { Caller } from '../../domain/accounts.ts';
import { CASE_CALL_ROWS, type CaseNeed, type CasePersonAction, checkCaseStep } from '../../domain/cases.ts';
import { formatDollars, toCents, toDollars } from '../../domain/payments.ts';
import { requestKeyOf } from '../auth/secrets.ts';
import type { Context } from '../context.ts';
import { type Tx, transact, violatedConstraint } from '../db/database.ts';
import { orNotFound, refuse, refuseProperty } from '../http/refusals.ts';
import type { Handlers } from '../http/routes.ts';
import { isRepeated, keepAnswer } from '../process/requests.ts';
import { keyedStep } from '../process/takeStep.ts';
import { findCover, findLeft } from './caseMoney.ts';
import type { StepDetails } from './caseSteps.sql.ts';
import {
  type CaseRow,
  caseProperties,
  findCase,
  listCasesOf,
  listEvents,
  listItems,
  lockCase,
  offerOf,
  readCallerPart,
} from './cases.sql.ts';
import { createCase } from './createCase.ts';
import { readFacts, takeCaseStep } from './takeCaseStep.ts';

type CaseCalls = Pick<Handlers, 'listCases' | 'createCase' | 'readCase' | CasePersonAction>;

type StepInput = {
  caller: Caller;
  params: { id: string };
  body: { words?: string; fileIds?: string[]; offer?: NonNullable<StepDetails['offer']>; amount?: number };
  idempotencyKey: string | undefined;
};

export function caseHandlers(context: Context): CaseCalls {
  const { db } = context;
  const steps = Object.fromEntries(
    CASE_CALL_ROWS.map(({ action }) => [action, (input: StepInput) => takePersonStep(context, action, input)]),
  ) as unknown as Pick<Handlers, CasePersonAction>;
  return {
    ...steps,
    listCases: async ({ caller, query }) => {
      const { rows, totalCount } = await listCasesOf(db, caller, query);
      return { data: { items: rows.map(caseProperties), totalCount, sumFields: {} } };
    },
    createCase: async (input) => {
      const id = await createCase(context, input);
      context.wake('events');
      return readCaseDetails(context, input.caller, id);
    },
    readCase: ({ caller, params }) => readCaseDetails(context, caller, params.id),
  };
}

/** A case as one of its people reads it. Refuses with 404 when they are not one of them. */
async function readCaseDetails({ db, now }: Pick<Context, 'db' | 'now'>, caller: Caller, id: string) {
  const row = orNotFound(await findCase(db, caller, id));
  const left = await findLeft(db, row);
  return {
    ...caseProperties(row),
    offer: offerOf(row),
    items: await listItems(db, id),
    events: await listEvents(db, id),
    actions: await listActions(db, row, caller, now()),
    ...(await readCallerPart(db, row, caller.id)),
    mostToGive: toDollars(mostToGive(row, caller, left ?? 0)),
    ...(await readCallerCover(db, row, caller)),
  } satisfies CaseDetails;
}

/** The amount that can still be refunded; null for a Duber, who sees no price. */
function mostToGive({ aboutUser, askedCents }: CaseRow, { id, role }: Caller, left: number): number {
  if (role === 'Bud') return left;
  return aboutUser === id ? Math.min(askedCents, left) : 0;
}

/** What the one who is asked has for an offer. Nobody else reads it. */
async function readCallerCover(db: Tx, row: CaseRow, { id }: Caller) {
  const cover = row.aboutUser === id ? await findCover(db, row) : undefined;
  return {
    covered: toDollars(cover?.free ?? 0),
    cleanAgainCosts: toDollars(row.aboutRole === 'Scrub' ? (cover?.ways ?? 0) : 0),
  };
}

/** The actions that the caller can take now. */
async function listActions(tx: Tx, row: CaseRow, caller: Caller, now: Date): Promise<string[]> {
  const facts = await readFacts(tx, row, caller, now);
  const actions = new Set(CASE_CALL_ROWS.map(({ action }) => action));
  return [...actions].filter(
    (action) =>
      isTheirTurn(row, action, caller) && checkCaseStep({ action, status: row.status, by: caller.role }, facts).ok,
  );
}

/** A Scrub or a Duber answers only cases that ask them, and a Bud only cases that they have reported. */
const isTheirTurn = (row: CaseRow, action: CasePersonAction, { id }: Caller): boolean =>
  action === 'answer' ? row.aboutUser === id : FOR_ALL_OF_A_CASE.includes(action) || row.openedBy === id;
const FOR_ALL_OF_A_CASE: readonly CasePersonAction[] = ['contest', 'deny'];

const NEED_FAILURES: Readonly<Record<Exclude<CaseNeed, 'none-open'>, Failure>> = {
  undecided: 'wrongStatus',
  'offer-possible': 'wrongStatus',
  'bears-it': 'notYoursToContest',
  'not-contested': 'alreadyContested',
  'first-week': 'contestOver',
  'said-by-duber': 'wrongStatus',
  'not-denied': 'wrongStatus',
};

/** Takes a step of CASE_FLOW for one of the people of a case. A repeated request with the same key changes nothing. */
async function takePersonStep(
  context: Context,
  action: CasePersonAction,
  { caller, params, body, idempotencyKey }: StepInput,
): Promise<CaseDetails> {
  const { db, now, newId } = context;
  const requestKey = requestKeyOf(caller.id, idempotencyKey);
  const cents = body.amount === undefined ? null : toCents(body.amount);
  await transact(db, async (tx) => {
    orNotFound(await findCase(tx, caller, params.id));
    const row = orNotFound(await lockCase(tx, params.id));
    const keyed = keyedStep(caller, { id: row.id, action, requestKey });
    if (await isRepeated(tx, keyed)) return;
    if (!isTheirTurn(row, action, caller)) refuseStatus(row);
    const { words, fileIds, offer = null } = body;
    if (offer === 'clean-again' && caller.role !== 'Scrub')
      refuseProperty('offer', 'isIn', 'Only a Scrub cleans again');
    if (action === 'answer') await refuseAboveClaim(tx, row, cents);
    const report = { words, fileIds, offer, cents };
    const changes = action === 'answer' ? sql`offer = ${offer}, offer_cents = ${cents}` : undefined;
    const by = { role: caller.role, id: caller.id };
    const step = { row, action, by, report, ...(changes ? { changes } : {}) };
    const result = await takeCaseStep(tx, { newId, at: now() }, step);
    if (result.ok) return keepAnswer(tx, keyed, null, now());
    if (result.why !== 'need') refuseStatus(row);
    if (result.need === 'none-open') refuseBesideOpen();
    const failure = NEED_FAILURES[result.need];
    if (failure === 'wrongStatus') refuseStatus(row);
    refuse(failure);
  }).catch(refuseSecondOpen);
  context.wake('events', 'payments');
  return readCaseDetails(context, caller, params.id);
}

/** At most one open case of a kind about an order: violated when another one opens as a decided one is contested. */
const ONE_OPEN: readonly (string | undefined)[] = ['cases_one_by_a_person', 'cases_once_automatic'];

function refuseSecondOpen(error: unknown): never {
  if (!ONE_OPEN.includes(violatedConstraint(error))) throw error;
  refuseBesideOpen();
}

function refuseBesideOpen(): never {
  const message = 'Another report about this order is still open. Contest this decision once that one has ended';
  refuse('caseIsOpen', { message });
}

const STATUS_TEXTS: Readonly<Record<CaseRow['status'], string>> = {
  'with-scrub': 'It waits for the answer of the Scrub',
  'with-duber': 'It waits for the answer of the Duber',
  'with-bud': 'It waits for the answer of the Bud',
  'with-town': 'The town decides it',
  decided: 'It is decided',
  closed: 'It is closed',
};

function refuseStatus({ status }: CaseRow): never {
  refuse('wrongStatus', { message: STATUS_TEXTS[status] });
}

/** An offer is at most what was claimed, and what was paid for the order. */
async function refuseAboveClaim(tx: Tx, row: CaseRow, cents: number | null): Promise<void> {
  if (cents === null) return;
  const most = Math.min(row.askedCents, (await findLeft(tx, row)) ?? 0);
  if (cents > most) refuseProperty('amount', 'isAboveCap', `At most ${formatDollars(most)}`);
}
