import type { WorkerDocuments } from '../../contract/documents.ts';
import {
  type DocumentKind,
  ENDED_DOCUMENT_KEPT_MS,
  graceLeft,
  isPast,
  missingKinds,
  type Requirement,
  statusAfter,
  type WorkerRole,
} from '../../domain/admissions.ts';
import type { Context } from '../context.ts';
import { type Tx, transact } from '../db/database.ts';
import { attachFiles } from '../files/files.ts';
import { refuse, refuseProperty } from '../http/refusals.ts';
import type { Handlers } from '../http/routes.ts';
import { findComingPolicy } from '../policies.sql.ts';
import { readSettings } from '../settings.sql.ts';
import {
  type Admission,
  type DocumentRow,
  findAdmission,
  insertDocument,
  listDocuments,
  listOpenDocuments,
  listRequirements,
  lockAdmission,
  readIsAsking,
  readTakesDocuments,
  updateAdmission,
  updateDocuments,
} from './admissions.sql.ts';
import { applyAdmission, enrolWorker, type Inside } from './enrol.ts';

type Worker = { readonly id: string; readonly role: WorkerRole };
type Sent = { readonly kind: DocumentKind; readonly fileId: string; readonly expiresOn?: string | undefined };

const MAX_DOCUMENTS = 100;

export function documentHandlers(context: Context): Pick<Handlers, 'readDocuments' | 'sendDocument'> {
  const { db } = context;
  return {
    readDocuments: ({ caller }) => viewDocuments(db, caller, context.now()),
    sendDocument: async ({ caller, body }) => {
      await transact(db, (tx) => sendDocument({ ...context, db: tx }, caller, body));
      return viewDocuments(db, caller, context.now());
    },
  };
}

async function viewDocuments(db: Tx, { id, role }: Worker, now: Date): Promise<WorkerDocuments> {
  if (!(await readTakesDocuments(db, now)))
    return { isAsked: false, from: null, status: null, worksUntil: null, items: [] };
  const admission = await findAdmission(db, id);
  const [requirements, documents] = [await listRequirements(db, role), await listDocuments(db, id, MAX_DOCUMENTS)];
  const coming = (await readIsAsking(db, now)) ? undefined : await findComingPolicy(db, 'admission', now);
  return {
    isAsked: true,
    from: coming?.validFrom.toISOString() ?? null,
    status: admission?.status ?? 'new',
    worksUntil: admission?.worksUntil?.toISOString() ?? null,
    items: requirements.map((requirement) => viewItem(requirement, documents)),
  };
}

function viewItem({ kind, needed, renewDays }: Requirement, documents: readonly DocumentRow[]) {
  const own = documents.filter((one) => one.kind === kind);
  const latest = own.find(({ state }) => state !== 'replaced');
  const accepted = own.find(({ state }) => state === 'accepted');
  return {
    ...{ kind, needed, needsDate: renewDays !== null },
    latest: latest
      ? {
          ...{ state: latest.state, expiresOn: latest.expiresOn, sentAt: latest.sentAt.toISOString(), why: latest.why },
          fileId: latest.isKept ? latest.fileId : null,
        }
      : null,
    accepted: accepted ? { lastDay: accepted.lastDay } : null,
  };
}

/** Takes a document from a worker. Once nothing is missing, an operator is to look at them. */
async function sendDocument(inside: Inside, { id, role }: Worker, { kind, fileId, expiresOn }: Sent): Promise<void> {
  const { db: tx, now, newId } = inside;
  const at = now();
  if (!(await readTakesDocuments(tx, at))) refuse('documentsNotAsked');
  const admission = (await lockAdmission(tx, id)) ?? (await enrolWorker(inside, { id, role }));
  if (admission.status === 'refused')
    refuse('wrongStatus', { message: 'You were not admitted. Our email to you says why, and how to answer' });
  const requirements = await listRequirements(tx, role);
  const { timeZone } = await readSettings(tx, at);
  const date = checkSent(requirements, { kind, expiresOn }, (day) => isPast(day, at, timeZone));
  const open = (await listOpenDocuments(tx, id)).find((one) => one.kind === kind && one.state !== 'accepted');
  // Sent again.
  if (open?.state === 'waiting' && open.fileId === fileId && open.expiresOn === date) return;
  const eraseAt = new Date(at.getTime() + ENDED_DOCUMENT_KEPT_MS);
  if (open) await updateDocuments(tx, [open.id], { state: 'replaced', eraseAt }, at);
  const document = { id: newId(), userId: id, kind, fileId, expiresOn: date };
  await attachFiles(tx, { owner: id, fileIds: [fileId], aboutKind: 'document', aboutId: document.id });
  await insertDocument(tx, document, at);
  await completeDocuments(inside, admission, requirements);
}

/** The day until which a document says that it is valid; null where the town does not ask. */
function checkSent(
  requirements: readonly Requirement[],
  { kind, expiresOn }: Omit<Sent, 'fileId'>,
  isOver: (day: string) => boolean,
): string | null {
  const requirement = requirements.find((one) => one.kind === kind);
  if (!requirement) refuseProperty('kind', 'isAsked', 'We do not ask you for this document');
  if (requirement.renewDays === null) return null;
  if (expiresOn === undefined) refuseProperty('expiresOn', 'isNotEmpty', 'Enter the last day on which it is valid');
  if (isOver(expiresOn)) refuseProperty('expiresOn', 'isLater', 'It has expired. Send one that is valid');
  return expiresOn;
}

/** Lets an operator look at the documents once nothing is missing. */
export async function completeDocuments(
  inside: Inside,
  admission: Admission,
  requirements: readonly Requirement[],
): Promise<void> {
  const { db: tx, now } = inside;
  const to = statusAfter('send-documents', admission.status);
  if (to === undefined || (await listMissing(inside, admission, requirements)).length > 0) return;
  const sent = await updateAdmission(
    tx,
    admission,
    { status: to, worksUntil: graceLeft(admission.worksUntil, now()) },
    now(),
  );
  await applyAdmission(inside, sent);
}

/** What a worker has still to send. What was accepted and is over does not count. */
export async function listMissing(
  { db: tx, now }: Inside,
  { id }: Admission,
  requirements: readonly Requirement[],
): Promise<DocumentKind[]> {
  const { timeZone } = await readSettings(tx, now());
  const documents = await listOpenDocuments(tx, id);
  return missingKinds(
    requirements,
    documents.filter(({ state, lastDay }) => state !== 'accepted' || !isPast(lastDay, now(), timeZone)),
  );
}
