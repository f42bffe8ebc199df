import type { Opens } from '../../domain/process/row.ts';
import type { Tx } from '../db/database.ts';
import type { Made } from '../process/takeStep.ts';
import { type FoundProblem, openCase } from './openCase.ts';

type Step = {
  readonly row: { readonly opens?: Opens };
  readonly request: Pick<FoundProblem, 'reason' | 'words'>;
  readonly at: Date;
};
type Subject = Pick<FoundProblem, 'orderId' | 'deliveryId' | 'by'> & {
  /** Those whom the case may be about. */
  readonly people?: { readonly Duber?: string | null; readonly Scrub?: string };
};

/** `opens`: a case for the town about what the step belongs to. */
export async function openCaseOfStep(
  tx: Tx,
  { row: { opens }, request, at }: Step,
  { people, ...subject }: Subject,
): Promise<Made | undefined> {
  if (!opens) return undefined;
  const { case: kind, about: role, reason = request.reason } = opens;
  const userId = role && people?.[role];
  const about = userId ? { aboutUser: { userId, role } } : {};
  return { caseId: await openCase(tx, { kind, reason, words: request.words, ...subject, ...about }, at) };
}
