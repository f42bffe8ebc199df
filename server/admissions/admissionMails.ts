import type { DocumentKind } from '../../domain/admissions.ts';
import type { Context } from '../context.ts';
import type { Tx } from '../db/database.ts';
import { renderAccountMail } from '../notifications/accountMails.ts';
import { queueMail } from '../notifications/outbox.sql.ts';
import type { MailContent } from '../outgoing/renderMail.ts';
import { readPublicTown } from '../town/identity.sql.ts';
import { readSettings } from '../town/settings.sql.ts';
import { type Addressee, findWorker } from './admissions.sql.ts';

export type MailContext = Pick<Context, 'newId' | 'now' | 'config' | 'wake'> & { readonly db: Tx };

const DOCUMENT_NAMES: Readonly<Record<DocumentKind, string>> = {
  identity: 'your ID',
  licence: 'your driving licence',
  insurance: 'your insurance',
  'detergent-safety': 'the safety sheet of your detergent',
};

type Content = Pick<MailContent, 'subject' | 'lines'> & { readonly hasLink: boolean };

async function queue(context: MailContext, userId: string, { hasLink, ...content }: Content): Promise<void> {
  const { db, newId, now, wake } = context;
  const worker = await findWorker(db, userId);
  if (!worker) return;
  const town = await readPublicTown(context);
  const button = { label: 'Your documents', link: `${town.publicUrl}/#/profile` };
  const closing = [`If this is wrong, or if you have a question, email us at ${town.supportEmail}.`];
  const greeting = `Hello ${worker.fullname},`;
  const mail = renderAccountMail({ ...content, greeting, closing, ...(hasLink ? { button } : {}) }, town);
  await queueMail(db, { id: newId(), recipient: worker.email, ...mail }, now());
  wake('mail');
}

/** The day of a time in the town's time zone. */
async function dayOf({ db, now }: MailContext, at: Date): Promise<string> {
  const { timeZone } = await readSettings(db, now());
  return at.toLocaleDateString('en-US', { dateStyle: 'long', timeZone });
}

export const queueWelcomeMail = (context: MailContext, userId: string): Promise<void> =>
  queue(context, userId, {
    subject: 'Before you get work',
    lines: [
      'Please send us photos of your documents: your profile says which. You get work once we have accepted them.',
    ],
    hasLink: true,
  });

/** `besides` are kinds that the town requires now and did not before. */
export async function queueAskedMail(
  context: MailContext,
  userId: string,
  worksUntil: Date | null,
  besides: readonly DocumentKind[] = [],
): Promise<void> {
  const [isMore, them] = [besides.length > 0, besides.length === 1 ? 'it' : 'them'];
  await queue(context, userId, {
    subject: isMore ? 'We need another document from you' : 'We need your documents',
    lines: [
      isMore
        ? `From now on we also look at ${listOf(besides)}. Please send us a photo: your profile says how.`
        : 'From now on we look at the documents of everybody who works with {town}. Please send us photos of yours: your profile says which.',
      worksUntil
        ? `You can work on until ${await dayOf(context, worksUntil)}. After that you get new work once we have accepted ${them}.`
        : `You get new work once we have accepted ${them}.`,
    ],
    hasLink: true,
  });
}

/** Says what a worker with accepted documents can do now. Another restriction may keep them from work, and a Scrub may be invisible. */
function workNow(worker: Addressee | undefined): string {
  if (worker?.isHeld) return 'You get no new work yet, for another reason: an earlier email of ours says which.';
  if (worker?.role === 'Duber') return 'You can accept deliveries from now on.';
  return worker?.isActive
    ? 'Buds near you can find you from now on.'
    : 'Buds near you can find you once you turn Visibility on.';
}

/** Call it once the restriction of the admission is lifted. */
export async function queueAdmittedMail(context: MailContext, userId: string, wasActive: boolean): Promise<void> {
  const worker = await findWorker(context.db, userId);
  const isFree = worker?.isHeld !== true;
  await queue(context, userId, {
    subject: wasActive
      ? 'Your new documents are accepted'
      : isFree
        ? 'You can work with {town} now'
        : 'Your documents are accepted',
    lines: [
      wasActive
        ? 'We have accepted your new documents. Your profile says whether we need anything else.'
        : `We have accepted your documents. ${workNow(worker)}`,
    ],
    hasLink: false,
  });
}

export const queueAskedAgainMail = (
  context: MailContext,
  userId: string,
  documents: readonly { readonly kind: DocumentKind; readonly why: string }[],
): Promise<void> =>
  queue(context, userId, {
    subject: 'Please send a document again',
    lines: [
      'We could not accept everything that you have sent. Please send this again:',
      ...documents.map(
        ({ kind, why }) => `${DOCUMENT_NAMES[kind].replace(/^./, (letter) => letter.toUpperCase())}: ${why}`,
      ),
    ],
    hasLink: true,
  });

export const queueRefusedMail = (context: MailContext, userId: string, reason: string): Promise<void> =>
  queue(context, userId, {
    subject: 'You cannot work with {town}',
    lines: [
      'We have looked at your documents, and cannot give you work.',
      `The reason: ${reason}`,
      'We erase your documents after 30 days. What you have begun goes on, and what you have earned is paid.',
    ],
    hasLink: false,
  });

export const queueReconsideredMail = (context: MailContext, userId: string): Promise<void> =>
  queue(context, userId, {
    subject: 'You can send us your documents again',
    lines: ['We have looked at our decision again. Please send us photos of your documents: your profile says which.'],
    hasLink: true,
  });

const inDays = (days: number) => (days === 1 ? 'tomorrow' : `in ${days} days`);

export const queueWarningMail = async (
  context: MailContext,
  userId: string,
  { kinds, end, days }: { kinds: readonly DocumentKind[]; end: Date; days: number },
): Promise<void> =>
  queue(context, userId, {
    subject:
      kinds.length > 0 ? `A document of yours expires ${inDays(days)}` : `We need your documents ${inDays(days)}`,
    lines: [
      kinds.length > 0
        ? `On ${await dayOf(context, end)} ${listOf(kinds)} ${kinds.length === 1 ? 'expires' : 'expire'}. Please send us ${kinds.length === 1 ? 'a photo of the new one' : 'photos of the new ones'} before, unless you have.`
        : `Until ${await dayOf(context, end)} you can work without the documents that we have asked you for.`,
      `Without ${kinds.length === 1 ? 'it' : 'them'} you get no new work from then on. What you have begun goes on.`,
    ],
    hasLink: true,
  });

/** `worksUntil` is set for a worker who may work until then although documents have expired. */
export const queueLapsedMail = async (
  context: MailContext,
  { id, worksUntil }: { readonly id: string; readonly worksUntil: Date | null },
  kinds: readonly DocumentKind[],
): Promise<void> => {
  const missing = kinds.length === 1 ? 'a new one' : kinds.length > 1 ? 'new ones' : 'them';
  await queue(context, id, {
    subject: kinds.length > 0 ? 'A document of yours has expired' : 'We still need your documents',
    lines: [
      kinds.length > 0
        ? `This has expired: ${listOf(kinds)}.`
        : 'We do not have all the documents that we have asked you for.',
      worksUntil
        ? `You can work on until ${await dayOf(context, worksUntil)}. After that you get new work once we have accepted ${missing}.`
        : `You get no new work until we have accepted ${missing}. What you have begun goes on.`,
    ],
    hasLink: true,
  });
};

const listOf = (kinds: readonly DocumentKind[]) => kinds.map((kind) => DOCUMENT_NAMES[kind]).join(' and ');
