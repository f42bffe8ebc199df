import type { Role } from '../../domain/accounts.ts';
import { type CaseKind, caseNumber } from '../../domain/cases.ts';
import { formatDollars } from '../../domain/payments.ts';
import type { CaseTemplateData } from './templateData.sql.ts';
import type { NotificationContent } from './templates.ts';

// The texts of notifications about cases. A title has only our own words, as in templates.ts.

type Text = { readonly title: string; readonly lines: readonly [short: string, ...more: string[]] };

const TOWN_DECIDES = 'We look at it and decide. You do not need to do anything.';

function offerText({ offer, cents, aboutName, aboutRole }: CaseTemplateData): Text {
  const who = aboutName ?? `The ${aboutRole}`;
  const offers = {
    'clean-again': `${who} offers to clean it again, at no cost for you.`,
    'give-back': `${who} offers to give ${formatDollars(cents ?? 0)} back to your card.`,
    'was-before': `${who} says that it was like that before.`,
  };
  return {
    title: 'Your report has an answer',
    lines: [
      offer ? offers[offer] : `${who} has answered.`,
      offer === 'was-before'
        ? 'Agree that nothing is given back, or ask the town to decide. Without an answer within 72 hours, nothing is given back.'
        : 'Accept it, or ask the town to decide. Without an answer it happens after 72 hours.',
    ],
  };
}

/** What goes back to the card, and what of it the reader pays. */
function givenBackText({ cents, readerPays }: CaseTemplateData, role: Role): string {
  if (!cents) return 'Nothing is given back.';
  const given = `${formatDollars(cents)} goes back to ${role === 'Bud' ? 'your card' : 'the card of the Bud'}.`;
  return readerPays > 0 ? `${given} ${formatDollars(readerPays)} of it is taken from what you earned.` : given;
}

function decidedText(event: CaseTemplateData, role: Role): Text {
  const words = event.townWords === null ? [] : [`The town says: ${event.townWords}`];
  return {
    title: event.kind === 'refund' ? 'Money is taken from what you earned' : 'The town has decided',
    lines: [
      givenBackText(event, role),
      ...words,
      event.canReaderContest
        ? 'If that is not right, you can contest it once, within 7 days.'
        : 'The problem is closed after 7 days.',
    ],
  };
}

function happensText(event: CaseTemplateData, role: Role): Text {
  const isCleanedAgain = !event.cents && event.offer === 'clean-again';
  const toDo = { Bud: 'Your laundry is cleaned again.', Scrub: 'You clean the laundry again.' };
  const cleaned = role === 'Duber' ? 'The laundry is cleaned again.' : toDo[role];
  const what = isCleanedAgain ? cleaned : givenBackText(event, role);
  return { title: 'What was offered happens now', lines: [what, 'The report is closed after 7 days.'] };
}

/** What a step found, for the kinds that have no other notice. */
const FOUND: Partial<Record<CaseKind, (event: CaseTemplateData, role: Role) => Text>> = {
  handover: ({ hasReaderCounted }) => ({
    title: 'The bags do not match',
    lines: [
      hasReaderCounted
        ? 'You counted a different number of bags than the one who gave you the laundry.'
        : 'The person who took the laundry counted a different number of bags.',
      TOWN_DECIDES,
    ],
  }),
  'wrong-pin': () => ({
    title: 'Five wrong PINs',
    lines: [
      'A wrong PIN was entered five times, so it no longer works.',
      'Whoever gets the laundry presses “I have … bags” at their order once they have it, or the Duber takes a photo of it at the door.',
      'The town looks into it.',
    ],
  }),
  window: () => ({
    title: 'No other time is agreed',
    lines: [
      'Another time was proposed for the order, and it was not accepted.',
      'Somebody cannot come at the agreed time. The town looks for another one, and gets in touch.',
    ],
  }),
  'scrub-silent': (_event, role) => ({
    title: 'The laundry is not started yet',
    lines:
      role === 'Scrub'
        ? [
            'The laundry arrived 8 hours ago, and you have not pressed Start.',
            'Press it if you have begun. If you cannot do it, please email us.',
          ]
        : ['The laundry arrived 8 hours ago, and nobody has started.', 'The town asks what is wrong.'],
  }),
};

/** Nobody answered the report in time. */
const unansweredText = ({ isAboutReader, aboutRole }: CaseTemplateData): Text => ({
  title: 'The town decides about a problem',
  lines: [
    isAboutReader ? 'You did not answer within 24 hours.' : `The ${aboutRole} did not answer within 24 hours.`,
    TOWN_DECIDES,
  ],
});

/** A Bud was there when a Duber said that nobody was. */
const deniedText = (role: Role): Text => ({
  title: 'The Bud says that it was not so',
  lines: [
    `What ${role === 'Duber' ? 'you are' : 'the Duber is'} paid for it waits until the town has looked at it.`,
    TOWN_DECIDES,
  ],
});

const NEWS: Text = { title: 'News about a problem', lines: ['Open it to see what happened.'] };

function textOf(event: CaseTemplateData, role: Role): Text {
  const { action, status, kind } = event;
  switch (action) {
    case 'open-claim':
      return status === 'with-town'
        ? { title: 'A problem was reported', lines: ['A Bud reports a problem with your work.', TOWN_DECIDES] }
        : {
            title: 'A problem was reported: please answer',
            lines: [
              'A Bud reports a problem with your work.',
              'Answer within 24 hours: clean it again, give money back, or say that it was like that before. After that, the town decides.',
            ],
          };
    case 'answer':
      return offerText(event);
    case 'accept-offer':
    case 'silent-bud':
      return status === 'with-town'
        ? { title: 'The town arranges what was offered', lines: ['It cannot happen by itself any more.', TOWN_DECIDES] }
        : happensText(event, role);
    case 'refuse-offer':
      return { title: 'The town decides about a problem', lines: ['The Bud did not accept your offer.', TOWN_DECIDES] };
    case 'no-answer':
      return unansweredText(event);
    case 'decide':
      return decidedText(event, role);
    case 'contest':
      return { title: 'A decision is contested', lines: ['The other side asks the town to look again.', TOWN_DECIDES] };
    case 'deny':
      return deniedText(role);
    default:
      return (action === 'open' && FOUND[kind]?.(event, role)) || NEWS;
  }
}

/** What happened in a case, for one of its people. */
export function caseTemplate(event: CaseTemplateData, role: Role): NotificationContent {
  const { title, lines } = textOf(event, role);
  const order = event.order === null ? {} : { order: event.order };
  return {
    title,
    ...order,
    lines,
    button: `Open ${caseNumber(event.no)}`,
    path: `/${role.toLowerCase()}/problems/${event.id}`,
  };
}
