import type { PersonAdmission, TownDocument } from '../../contract/operator/admissions.ts';
import { DOCUMENTS_SHOWN_MS } from '../../domain/admissions.ts';
import { type AdmissionOf, type DocumentRow, readAdmissionOf } from '../admissions/admissions.ts';
import { admitWorker, reconsiderWorker, refuseWorker, requestDocumentsAgain } from '../admissions/decideAdmission.ts';
import { type FileParts, readDocumentOf } from '../files/files.ts';
import { orNotFound, refuse } from '../http/refusals.ts';
import type { ActInput, Acts, ConsoleContext, OperatorHandlers } from './operatorContext.ts';
import { findPerson, findShownAt } from './people.sql.ts';

type AdmissionActs = Pick<
  Acts,
  'showDocuments' | 'admitWorker' | 'askDocumentsAgain' | 'refuseWorker' | 'reconsiderWorker'
>;

export const admissionHandlers = (
  context: ConsoleContext,
  files: FileParts,
): Pick<OperatorHandlers, 'readAdmission' | 'readDocumentPhoto'> => ({
  readAdmission: async ({ operator, params: { id } }) => {
    const { db, now } = context;
    const person = orNotFound(await findPerson(db, id));
    return viewAdmission(await readAdmissionOf(db, person, now()), await findShownUntil(context, operator.id, id));
  },
  readDocumentPhoto: async ({ operator, params: { id, documentId } }) => {
    if (!(await findShownUntil(context, operator.id, id))) refuse('documentsHidden');
    return readDocumentOf(context, files, { ownerId: id, documentId });
  },
});

/** Until when an operator can read the documents of a person; null before they give a reason. */
async function findShownUntil(context: ConsoleContext, operatorId: string, personId: string): Promise<Date | null> {
  const until = await findLastShownUntil(context, operatorId, personId);
  return until && until > context.now() ? until : null;
}

/** The same, also after it has expired. */
async function findLastShownUntil({ db }: ConsoleContext, operatorId: string, personId: string): Promise<Date | null> {
  const shownAt = await findShownAt(db, 'showDocuments', { subjectId: personId, operatorId });
  return shownAt ? new Date(shownAt.getTime() + DOCUMENTS_SHOWN_MS) : null;
}

const timeOf = (at: Date | null | undefined) => at?.toISOString() ?? null;

const viewAdmission = (
  { isAsked, admission, requirements, documents }: AdmissionOf,
  shownUntil: Date | null,
): PersonAdmission => ({
  isAsked,
  status: admission?.status ?? null,
  since: timeOf(admission?.since),
  worksUntil: timeOf(admission?.worksUntil),
  requirements: requirements.map(({ kind, needed }) => ({ kind, needed })),
  documents: documents.map(viewDocument),
  shownUntil: timeOf(shownUntil),
});

const viewDocument = (document: DocumentRow): TownDocument => {
  const { id, kind, state, expiresOn, lastDay, sentAt, decidedAt, decidedByName, why, isKept } = document;
  const times = { sentAt: sentAt.toISOString(), decidedAt: timeOf(decidedAt) };
  return { ...{ id, kind, state, expiresOn, lastDay, why, isKept }, ...times, decidedBy: decidedByName };
};

/** The person that a decision is about, and who decides. */
async function decisionOf({ context, operator, params: { id } }: ActInput<keyof AdmissionActs>) {
  const { fullname } = orNotFound(await findPerson(context.db, id));
  return { decision: { id, by: operator.id }, details: { fullname } };
}

export const ADMISSION_ACTS: AdmissionActs = {
  // The row in the audit is what allows the operator to read: see readDocumentPhoto.
  showDocuments: { run: async (input) => ({ details: (await decisionOf(input)).details }) },
  admitWorker: {
    run: async (input) => {
      const { decision, details } = await decisionOf(input);
      const until = await findLastShownUntil(input.context, decision.by, decision.id);
      const seen = { documents: input.body.documents, until };
      return { details: { ...details, ...(await admitWorker(input.context, decision, seen)) } };
    },
  },
  askDocumentsAgain: {
    run: async (input) => {
      const { decision, details } = await decisionOf(input);
      return {
        details: { ...details, ...(await requestDocumentsAgain(input.context, decision, input.body.documents)) },
      };
    },
  },
  refuseWorker: {
    run: async (input) => {
      const { decision, details } = await decisionOf(input);
      await refuseWorker(input.context, decision, input.body.reason);
      return { details };
    },
  },
  reconsiderWorker: {
    run: async (input) => {
      const { decision, details } = await decisionOf(input);
      await reconsiderWorker(input.context, decision);
      return { details };
    },
  },
};
