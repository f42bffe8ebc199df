import {
  type AdmissionStatus,
  type DocumentKind,
  endOfDocument,
  hasRequirements,
  isExpired,
  latestWarning,
  missingKinds,
  neededKinds,
  type Requirement,
} from '../../domain/admissions.ts';
import type { Need } from '../../domain/needs.ts';
import {
  ADMISSION_ROWS,
  type AdmissionAction,
  type AdmissionFacts,
  type AdmissionRow,
  type AdmissionTaken,
} from '../../domain/process/admission.ts';
import { readSettings } from '../town/settings.sql.ts';
import {
  type Admission,
  areDocumentsRequired,
  listOpenDocuments,
  listRequirements,
  readTakesDocuments,
} from './admissions.sql.ts';
import { type AdmissionTx, endsOf } from './applyAdmission.ts';

/** The request for a step of an admission. */
export type AdmissionRequest = {
  /** The worker. */
  readonly id: string;
  readonly action: AdmissionAction;
  /** For `admit`: the documents that the operator has seen, and until when they could be read. */
  readonly seen?: { readonly documents: readonly string[]; readonly until: Date | null };
  /** For `ask-again`: each document with the problem. */
  readonly returned?: readonly { readonly id: string; readonly why: string }[];
  /** For `refuse`. */
  readonly reason?: string;
};

export type OpenDocument = Awaited<ReturnType<typeof listOpenDocuments>>[number];

/** An admission before a step, with the documents of its worker. */
export type AdmissionRecord = {
  readonly status: AdmissionStatus;
  readonly admission: Admission;
  readonly requirements: readonly Requirement[];
  readonly open: readonly OpenDocument[];
  readonly missing: readonly DocumentKind[];
  /** The documents that wait, the one of them that has expired, and those that an operator sends back. */
  readonly waiting: readonly OpenDocument[];
  readonly past: OpenDocument | undefined;
  readonly returned: readonly (OpenDocument & { readonly why: string })[];
  /** The needed and accepted documents that have expired. */
  readonly expired: readonly Expired[];
  readonly end: Date | null;
  readonly timeZone: string;
};

type Expired = { readonly id: string; readonly kind: DocumentKind; readonly end: Date };

/** The open documents without accepted ones that have expired. */
const inHandOf = (open: readonly OpenDocument[], now: Date, timeZone: string) =>
  open.filter(({ state, lastDay }) => state !== 'accepted' || !isExpired(lastDay, now, timeZone));

/** The documents that a worker still has to send. */
export async function listMissing(
  { db: tx, now }: Pick<AdmissionTx, 'db' | 'now'>,
  { id }: Admission,
  requirements: readonly Requirement[],
): Promise<DocumentKind[]> {
  const { timeZone } = await readSettings(tx, now());
  return missingKinds(requirements, inHandOf(await listOpenDocuments(tx, id), now(), timeZone));
}

/** The needed and accepted documents that have expired at a time. */
export function listExpired(
  { requirements, open, timeZone }: Pick<AdmissionRecord, 'requirements' | 'open' | 'timeZone'>,
  at: Date,
): Expired[] {
  const needed = neededKinds(requirements);
  return open.flatMap(({ id, kind, state, lastDay }) =>
    state === 'accepted' && lastDay !== null && needed.includes(kind) && isExpired(lastDay, at, timeZone)
      ? [{ id, kind, end: endOfDocument(lastDay, timeZone) }]
      : [],
  );
}

const needsOf = (action: AdmissionAction): readonly Need[] =>
  (ADMISSION_ROWS as readonly AdmissionRow[]).flatMap((row) => (row.action === action ? (row.needs ?? []) : []));

/** What the rows of a step look at, and what their effects read. */
export async function readFacts(
  inside: AdmissionTx,
  admission: Admission,
  request: AdmissionRequest,
): Promise<{ readonly facts: AdmissionRecord; readonly needed: AdmissionFacts }> {
  const { db: tx, now } = inside;
  const [at, { action, seen, returned = [] }] = [now(), request];
  const requirements = await listRequirements(tx, admission.role);
  const open = await listOpenDocuments(tx, admission.id);
  const { timeZone } = await readSettings(tx, at);
  const inHand = inHandOf(open, at, timeZone);
  const missing = missingKinds(requirements, inHand);
  const accepted = inHand.filter(({ state }) => state === 'accepted');
  const waiting = open.filter(({ state }) => state === 'waiting');
  const past = waiting.find(({ expiresOn }) => isExpired(expiresOn, at, timeZone));
  const back = returned.flatMap(({ id, why }) =>
    waiting.filter((one) => one.id === id).map((one) => ({ ...one, why })),
  );
  const looksAt = (need: Need) => needsOf(action).includes(need);
  const end = looksAt('documents-required') ? await readEnd(inside, admission, requirements, action) : null;
  const days = end && latestWarning(end, at);
  const record = { requirements, open, timeZone };
  return {
    facts: {
      ...{ ...record, status: admission.status, admission, missing, waiting, past, returned: back, end },
      expired: listExpired(record, at),
    },
    needed: {
      areTaken: !looksAt('documents-asked') || (await readTakesDocuments(tx, at)),
      areRequired: !looksAt('documents-required') || (await areDocumentsRequired(tx, at)),
      isSomeNeeded: hasRequirements(requirements),
      isSomethingMissing: missing.length > 0,
      areAllAccepted: missingKinds(requirements, accepted).length === 0,
      doSomeWait: waiting.length > 0,
      ...seenFacts(waiting, seen),
      hasOneExpired: past !== undefined,
      doAllWait: back.length === returned.length,
      ...{ end, action, now: at },
      latestWarning: days ? `warn-${days}` : undefined,
    },
  };
}

async function readEnd(
  inside: AdmissionTx,
  admission: Admission,
  requirements: readonly Requirement[],
  action: AdmissionAction,
): Promise<Date | null> {
  const { document, work } = await endsOf(inside, admission, requirements);
  return action === 'expire' ? document : work;
}

function seenFacts(waiting: readonly OpenDocument[], seen: AdmissionRequest['seen']) {
  const { documents, until } = seen ?? { documents: [], until: null };
  return {
    areAllSeen: waiting.length === new Set(documents).size && waiting.every(({ id }) => documents.includes(id)),
    // The operator could still read when the last document arrived.
    areSeenInTime: until !== null && waiting.every(({ sentAt }) => sentAt < until),
  };
}

export const takenOf = ({ admission, missing, expired }: AdmissionRecord, at: Date): AdmissionTaken => ({
  worksUntil: admission.worksUntil,
  isSomethingMissing: missing.length > 0,
  haveExpiredBefore: expired.length > 0 && expired.every(({ end }) => end <= admission.askedAt),
  at,
});
