import type { PersonAdmission, TownDocument } from '../../contract/operator/admissions.ts';
import { DOCUMENTS_SHOWN_MS } from '../../domain/admissions.ts';
import { type AdmissionOf, type DocumentRow, readAdmissionOf } from '../admissions/admissions.ts';
import { takeAdmissionStep } from '../admissions/steps.ts';
import { readDocumentOf } from '../files/files.ts';
import { orNotFound, refuse } from '../http/refusals.ts';
import type { ActInput, Acts, ConsoleContext, OperatorHandlers } from '../operatorContext.ts';
import { findPerson, findShownAt } from './people.sql.ts';

type AdmissionActs = Pick<
  Acts,
  'showDocuments' | 'admitWorker' | 'askDocumentsAgain' | 'refuseWorker' | 'reconsiderWorker'
>;

export const admissionHandlers = (
  context: ConsoleContext,
): Pick<OperatorHandlers, 'readAdmission' | 'readDocumentPhoto'> => ({
  readAdmission: async ({ operator, params: { id } }) => {
    const { db, now } = context;
    const person = orNotFound(await findPerson(db, id));
    return viewAdmission(await readAdmissionOf(db, person, now()), await findShownUntil(context, operator.id, id));
  },
  readDocumentPhoto: async ({ operator, params: { id, documentId } }) => {
    if (!(await findShownUntil(context, operator.id, id))) refuse('documentsHidden');
    return readDocumentOf(context, context.files, { ownerId: id, documentId });
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

/** The name of the person that a decision is about. */
async function nameOf({ context, params: { id } }: ActInput<keyof AdmissionActs>) {
  return { fullname: orNotFound(await findPerson(context.db, id)).fullname };
}

type Decision = Omit<Parameters<typeof takeAdmissionStep>[2], 'id'>;

const decide = ({ context, operator, params: { id } }: ActInput<keyof AdmissionActs>, decision: Decision) =>
  takeAdmissionStep(context, { role: 'Operator', id: operator.id }, { id, ...decision });

export const ADMISSION_ACTS: AdmissionActs = {
  // The row in the audit is what allows the operator to read: see readDocumentPhoto.
  showDocuments: { run: async (input) => ({ details: await nameOf(input) }) },
  admitWorker: {
    run: async (input) => {
      const name = await nameOf(input);
      const until = await findLastShownUntil(input.context, input.operator.id, input.params.id);
      const seen = { documents: input.body.documents, until };
      const { kinds: accepted } = await decide(input, { action: 'admit', seen });
      return { details: { ...name, accepted } };
    },
  },
  askDocumentsAgain: {
    run: async (input) => {
      const name = await nameOf(input);
      const { kinds } = await decide(input, { action: 'ask-again', returned: input.body.documents });
      return { details: { ...name, kinds } };
    },
  },
  refuseWorker: {
    run: async (input) => {
      const details = await nameOf(input);
      await decide(input, { action: 'refuse', reason: input.body.reason });
      return { details };
    },
  },
  reconsiderWorker: {
    run: async (input) => {
      const details = await nameOf(input);
      await decide(input, { action: 'reconsider' });
      return { details };
    },
  },
};
