import { PEOPLE_PAGE, type Person, type Suspension } from '../../contract/operator/people.ts';
import { formatOrderNumber } from '../../domain/orders.ts';
import { toDollars } from '../../domain/payments.ts';
import type { Tx } from '../db/database.ts';
import { readPage } from '../db/pages.ts';
import { isoTimes } from '../http/isoTimes.ts';
import { maskedNetworkOf } from '../http/rateLimits.ts';
import { orNotFound, refuse } from '../http/refusals.ts';
import type { ConsoleContext, OperatorHandlers } from '../operatorContext.ts';
import { readBalance } from '../payments/payouts/earnings.ts';
import { readErasure, readKeptContact } from '../personal/erasureSteps.ts';
import { listAuditEntries } from './audit.sql.ts';
import { nameOrNull, toAuditRow } from './audit.ts';
import { listOpenWork, type OpenWorkRow, waysHomeOf } from './openWork.sql.ts';
import {
  findContact,
  findPerson,
  findShownAt,
  listCasesOf,
  listDevices,
  listLatestWork,
  listMessages,
  listPersonRows,
  listRatings,
  type PersonRecord,
  readCounts,
} from './people.sql.ts';
import {
  findSuspension,
  listPastSuspensions,
  listRestrictions,
  type RestrictionRecord,
  type SuspensionRecord,
} from './restrictions.sql.ts';
import { readChoices } from './workChoices.ts';

type PeopleCalls = Pick<OperatorHandlers, 'listPeople' | 'readPerson' | 'readContact'>;

const CONTACT_SHOWN_MS = 15 * 60_000;
const LATEST = 20;
const MAX_RESTRICTIONS = 50;
const MAX_MESSAGES = 30;
const MAX_OPEN_WORK = 200;

export const peopleHandlers = (context: ConsoleContext): PeopleCalls => {
  const { db, now, sealer } = context;
  return {
    listPeople: ({ query: { q, page, ...filter } }) =>
      readPage(page, PEOPLE_PAGE, (bounds) => listPersonRows(db, { ...filter, words: q }, bounds), viewRow),
    readPerson: async ({ params: { id } }) => viewPerson(context, orNotFound(await findPerson(db, id))),
    readContact: async ({ operator, params: { id } }) => {
      const contact = orNotFound(await findContact(db, id));
      const shownAt = await findShownAt(db, 'showContact', { subjectId: id, operatorId: operator.id });
      const until = new Date((shownAt?.getTime() ?? 0) + CONTACT_SHOWN_MS);
      if (until <= now()) refuse('contactHidden');
      const kept = await readKeptContact(db, sealer, id);
      return { ...contact, ...kept, until: until.toISOString() };
    },
  };
};

function viewRow({ id, fullname, role, state, createdAt, ratingSum, ratingCount }: PersonRecord) {
  const rating = ratingCount === 0 ? null : Math.round((ratingSum / ratingCount) * 100) / 100;
  return isoTimes({ id, fullname, role, state, createdAt, rating, ratingCount });
}

function viewSuspension(row: SuspensionRecord): Suspension {
  const { id, reason, status, fromAt, untilAt, setBy, setByName, endedAt, endedBy, endedByName } = row;
  return {
    ...isoTimes({ id, reason, status, from: fromAt, until: untilAt, endedAt }),
    by: { id: setBy, name: setByName },
    endedBy: nameOrNull(endedBy, endedByName),
  };
}

function viewRestriction(restriction: RestrictionRecord) {
  const {
    kind,
    reason,
    fromAt,
    isOfSuspension,
    isOfAdmission,
    isOfErasure,
    setBy,
    setByName,
    liftedAt,
    liftedBy,
    liftedByName,
  } = restriction;
  return {
    ...isoTimes({ kind, reason, from: fromAt, isOfSuspension, isOfAdmission, isOfErasure, liftedAt }),
    by: nameOrNull(setBy, setByName),
    liftedBy: nameOrNull(liftedBy, liftedByName),
  };
}

const viewOpenWork = async (tx: Tx, person: PersonRecord, work: OpenWorkRow) => {
  const { kind, id, orderId, status, other } = work;
  return {
    ...{ kind, id, orderId, status, other },
    orderNumber: formatOrderNumber(work.orderNumber),
    choices: [...(await readChoices(tx, person, work))],
    waysHome: waysHomeOf(work),
  };
};

const numbered = <W extends { orderNumber: number }>(work: W) => ({
  ...work,
  orderNumber: formatOrderNumber(work.orderNumber),
});

/** One after the other, so that a page about one person takes one connection. */
async function readEach<T, R>(items: readonly T[], read: (item: T) => Promise<R>): Promise<R[]> {
  const found: R[] = [];
  for (const item of items) found.push(await read(item));
  return found;
}

async function viewPerson({ db, now }: ConsoleContext, person: PersonRecord): Promise<Person> {
  const { id, isVisible } = person;
  const suspension = await findSuspension(db, id);
  const erasure = await readErasure(db, id);
  const latest = await listLatestWork(db, person, LATEST);
  const orderIds = [...new Set(latest.map(({ orderId }) => orderId))];
  return {
    ...viewRow(person),
    isVisible,
    erasure: erasure && isoTimes(erasure),
    suspension: suspension ? viewSuspension(suspension) : null,
    suspensions: (await listPastSuspensions(db, id, LATEST)).map(viewSuspension),
    holds: (await listRestrictions(db, id, MAX_RESTRICTIONS)).map(viewRestriction),
    openWork: await readEach((await listOpenWork(db, person)).slice(0, MAX_OPEN_WORK), (work) =>
      viewOpenWork(db, person, work),
    ),
    ...(await readCounts(db, id)),
    money: await viewMoney(db, person, now()),
    ratings: (await listRatings(db, id, LATEST)).map((row) => isoTimes(numbered(row))),
    latestWork: latest.map((work) => isoTimes(numbered(work))),
    devices: (await listDevices(db, id, now(), MAX_RESTRICTIONS)).map(({ browser, network, lastUsedAt }) =>
      isoTimes({ browser, network: network && maskedNetworkOf(network), lastUsedAt }),
    ),
    messages: (await listMessages(db, id, orderIds, MAX_MESSAGES)).map(isoTimes),
    cases: (await listCasesOf(db, id, LATEST)).map(isoTimes),
    audit: (await listAuditEntries(db, { subjectKind: 'person', subjectId: id }, LATEST)).map(toAuditRow),
  };
}

async function viewMoney(db: ConsoleContext['db'], { id, role }: PersonRecord, now: Date) {
  if (role === 'Bud') return null;
  const { owed, waits } = await readBalance(db, { role, id }, now);
  return { owed: toDollars(owed), waits: toDollars(waits) };
}
