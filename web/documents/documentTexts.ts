import type { WorkerDocuments } from '../../contract/documents.ts';
import type { DocumentKind, DocumentState } from '../../domain/admissions.ts';

export const KIND_TEXTS: Record<DocumentKind, string> = {
  identity: 'ID',
  licence: 'Driving licence',
  insurance: 'Insurance',
  'detergent-safety': 'Detergent safety sheet',
};

export const STATE_TEXTS: Record<DocumentState, string> = {
  waiting: 'We look at it',
  accepted: 'Accepted',
  'asked-again': 'Please send it again',
  refused: 'Not accepted',
  expired: 'Expired',
  replaced: 'Replaced',
};

/** 'May 31, 2027' of 2027-05-31. */
export const dayText = (day: string): string =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString('en', { dateStyle: 'medium', timeZone: 'UTC' });

const SOON_MS = 30 * 24 * 60 * 60_000;

type Notice = { readonly title: string; readonly text: string; readonly isToDo: boolean };

/** The notice on a worker's dashboard; undefined when there is nothing to do or to wait for. */
export function noticeOf({ isAsked, from, status, worksUntil, items }: WorkerDocuments, now: Date): Notice | undefined {
  if (!isAsked || !items.some(({ needed }) => needed)) return undefined;
  if (from && (status === 'new' || status === 'asked' || status === 'lapsed'))
    return {
      title: `We need your documents from ${dayText(from.slice(0, 10))}`,
      text: 'Send them before then to keep getting work.',
      isToDo: true,
    };
  const end = worksUntil && new Date(worksUntil) > now ? dayText(worksUntil.slice(0, 10)) : undefined;
  if (status === 'waiting')
    return {
      title: 'We look at your documents',
      text:
        end || from
          ? 'You can work in the meantime.'
          : 'You get work once they are accepted. We send you an email then.',
      isToDo: false,
    };
  if (status === 'refused')
    return { title: 'You get no work', text: 'Our email to you says why, and how to answer.', isToDo: false };
  if (status === 'active') return missingNotice(items, end) ?? activeNotice(items, now);
  const text = end ? `You get work without them until ${end}.` : 'You get work once they are accepted.';
  return { title: status === 'new' ? 'Send us your documents' : titleOfMissing(items), text, isToDo: true };
}

const MORE = 'We need another document from you';

/** A document has expired, was sent back, or is newly required. */
function titleOfMissing(items: WorkerDocuments['items']): string {
  const missing = items.filter((item) => item.needed && !isInHand(item));
  if (missing.some(({ latest }) => latest?.state === 'expired')) return 'A document of yours has expired';
  return missing.some(({ latest }) => latest === null) ? MORE : 'Send us a document again';
}

const isInHand = ({ latest, accepted }: WorkerDocuments['items'][number]) =>
  accepted !== null || latest?.state === 'waiting';

/** For an admitted worker with a new requirement. */
function missingNotice(items: WorkerDocuments['items'], end: string | undefined): Notice | undefined {
  if (items.every((item) => !item.needed || isInHand(item))) return undefined;
  const text = end ? `You get work without it until ${end}.` : 'You can work without it for a while.';
  return { title: MORE, text: `${text} Your profile says which.`, isToDo: true };
}

function activeNotice(items: WorkerDocuments['items'], now: Date): Notice | undefined {
  const open = items.filter(({ latest }) => latest?.state !== 'waiting');
  if (open.some(({ latest }) => latest?.state === 'asked-again'))
    return { title: 'Send us a document again', text: 'Your profile says which, and why.', isToDo: true };
  const days = open
    .flatMap(({ needed, accepted }) => (needed && accepted?.lastDay ? [accepted.lastDay] : []))
    .toSorted();
  const [first] = days;
  if (first === undefined || Date.parse(first) - now.getTime() > SOON_MS) return undefined;
  return {
    title: 'A document of yours expires soon',
    text: `Send us the new one before ${dayText(first)}, to keep getting work.`,
    isToDo: true,
  };
}
