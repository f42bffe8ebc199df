import type { WorkerDocuments } from '../../contract/documents.ts';
import {
  DOCUMENTS_PER_DAY,
  type DocumentKind,
  isExpired,
  type Requirement,
  type WorkerRole,
} from '../../domain/admissions.ts';
import { DAY_MS } from '../../domain/durations.ts';
import type { Context } from '../context.ts';
import { type Tx, transact } from '../db/database.ts';
import { attachFiles } from '../files/files.ts';
import { incrementRateLimit } from '../http/rateLimits.sql.ts';
import { refuse, refuseProperty } from '../http/refusals.ts';
import type { Handlers } from '../http/routes.ts';
import { readSettings } from '../town/settings.sql.ts';
import type { MailContext } from './admissionMails.ts';
import {
  type DocumentRow,
  findAdmission,
  insertDocument,
  listDocuments,
  listOpenDocuments,
  listRequirements,
  lockAdmission,
  readRequirementPeriod,
  readTakesDocuments,
  updateDocuments,
} from './admissions.sql.ts';
import { endOfReplaced } from './documentErasure.ts';
import { enrolWorker, requestDocumentsOnce } from './enrol.ts';
import { reviewAndApply } from './steps.ts';

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
  const requirements = await listRequirements(db, role);
  // Only the other role may need documents.
  if (requirements.length === 0 || !(await readTakesDocuments(db, now)))
    return { isAsked: false, from: null, status: null, worksUntil: null, items: [] };
  const [admission, documents] = [await findAdmission(db, id), await listDocuments(db, id, MAX_DOCUMENTS)];
  const { since, from } = await readRequirementPeriod(db, now);
  return {
    isAsked: true,
    from: since === null && from ? from.toISOString() : null,
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

/** Stores a document that a worker sends. Once nothing is missing, the documents wait for an operator. */
async function sendDocument(
  inside: MailContext,
  { id, role }: Worker,
  { kind, fileId, expiresOn }: Sent,
): Promise<void> {
  const { db: tx, now, newId } = inside;
  const at = now();
  if (!(await readTakesDocuments(tx, at))) refuse('documentsNotAsked');
  const found = (await lockAdmission(tx, id)) ?? (await enrolWorker(inside, { id, role }));
  const { admission } = await requestDocumentsOnce(inside, found);
  if (admission.status === 'refused')
    refuse('wrongStatus', { message: 'You were not admitted. Our email to you says why, and how to answer' });
  const requirements = await listRequirements(tx, role);
  const { timeZone } = await readSettings(tx, at);
  const date = checkSent(requirements, { kind, expiresOn }, (day) => isExpired(day, at, timeZone));
  const open = (await listOpenDocuments(tx, id)).find((one) => one.kind === kind && one.state !== 'accepted');
  // Sent again.
  if (open?.state === 'waiting' && open.fileId === fileId && open.expiresOn === date) return;
  await countDocument(inside, id);
  if (open) {
    const eraseAt = await endOfReplaced(inside, id, open);
    await updateDocuments(tx, [open.id], { state: 'replaced', eraseAt }, at);
  }
  const document = { id: newId(), userId: id, kind, fileId, expiresOn: date };
  await attachFiles(tx, { owner: id, fileIds: [fileId], aboutKind: 'document', aboutId: document.id });
  await insertDocument(tx, document, at);
  await reviewAndApply(inside, admission);
}

/** Limits how many documents a worker sends, because each is stored and must be checked. */
async function countDocument({ db, now, config }: MailContext, userId: string): Promise<void> {
  const most = Math.ceil(DOCUMENTS_PER_DAY * config.rateLimitScale);
  const key = { kind: 'documents', network: userId };
  const { count, endsAt } = await incrementRateLimit(db, key, now(), { periodMs: DAY_MS, most });
  if (count > most) refuse('tooManyDocuments', { retryAfter: (endsAt.getTime() - now().getTime()) / 1000 });
}

/** The last day of a document; null where the town does not require one. */
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
