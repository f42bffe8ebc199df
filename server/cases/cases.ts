import type { CaseDetails } from '../../contract/cases.ts';
import type { Caller } from '../../domain/accounts.ts';
import type { CasePersonAction } from '../../domain/cases.ts';
import { CASE_NEEDS } from '../../domain/needs.ts';
import { toCents, toDollars } from '../../domain/payments.ts';
import { CASE_CALL_ROWS, CASE_ROWS } from '../../domain/process/case.ts';
import { chooseRow } from '../../domain/workflow.ts';
import { requestKeyOf } from '../auth/secrets.ts';
import type { Context } from '../context.ts';
import type { Tx } from '../db/database.ts';
import { orNotFound } from '../http/refusals.ts';
import type { Handlers } from '../http/routes.ts';
import { type CleaningAgain, findCover, findLeft } from './caseMoney.ts';
import type { StepDetails } from './caseSteps.sql.ts';
import {
  type CaseRow,
  caseProperties,
  findCase,
  listCasesOf,
  listEvents,
  listItems,
  offerOf,
  readCallerPart,
} from './cases.sql.ts';
import { createCase } from './createCase.ts';
import { isTheirTurn, readCaseFacts } from './facts.ts';
import { takeCaseStep } from './steps.ts';

type CaseCalls = Pick<Handlers, 'listCases' | 'createCase' | 'readCase' | CasePersonAction>;

type StepInput = {
  caller: Caller;
  params: { id: string };
  body: { words?: string; fileIds?: string[]; offer?: NonNullable<StepDetails['offer']>; amount?: number };
  idempotencyKey: string | undefined;
};

export function caseHandlers(context: Context, cleaning: CleaningAgain): CaseCalls {
  const { db } = context;
  const steps = Object.fromEntries(
    CASE_CALL_ROWS.map(({ action }) => [
      action,
      (input: StepInput) => takePersonStep(context, cleaning, action, input),
    ]),
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
  const actions = [...new Set(CASE_CALL_ROWS.map(({ action }) => action))];
  const facts = await readCaseFacts(tx, row, { actor: caller, actions }, now);
  const by = { status: row.status, by: caller.role };
  return actions.filter(
    (action) => isTheirTurn(row, action, caller) && chooseRow(CASE_ROWS, { action, ...by }, CASE_NEEDS, facts).ok,
  );
}

/** Takes a step for one of the people of a case. A repeated request with the same key changes nothing. */
async function takePersonStep(
  context: Context,
  cleaning: CleaningAgain,
  action: CasePersonAction,
  { caller, params: { id }, body, idempotencyKey }: StepInput,
): Promise<CaseDetails> {
  const { words, fileIds, offer, amount } = body;
  const offerCents = amount === undefined ? undefined : toCents(amount);
  const requestKey = requestKeyOf(caller.id, idempotencyKey);
  await takeCaseStep(context, cleaning, caller, { id, action, words, fileIds, offer, offerCents, requestKey });
  return readCaseDetails(context, caller, id);
}
