import { createCase } from '../../contract/cases.ts';
import type { PublicConfig } from '../../contract/payments.ts';
import { ITEM_KINDS, type ItemKind } from '../../domain/cases.ts';
import { needsPhoto, sumClaimed } from '../../domain/claims.ts';
import { toCents } from '../../domain/payments.ts';
import { formatMoney } from '../ui/formatMoney.ts';
import { readNumber } from '../ui/typedNumber.ts';
import { type FormErrors, validateFields } from '../ui/useForm.ts';

/** A thing of a report, as it is typed. */
export type Thing = {
  /** Tells the things of a form apart. */
  readonly key: number;
  readonly what: string;
  readonly kind: ItemKind;
  readonly worth: string;
  readonly ageMonths: string;
  readonly asked: string;
};
export type ThingField = Exclude<keyof Thing, 'key'>;

export type ReportValues = { items: readonly Thing[]; words: string; fileIds: string[] };
type Caps = PublicConfig['claimCaps'];

/** What the form calls the fields of a thing, also where the contract finds something wrong with them. */
export const THING_LABELS = { worth: 'Price when new', ageMonths: 'Age', asked: 'What you ask for' } as const;

/** Errors of the contract, whose messages may begin with the name of a field, in the words of the form. */
export const sayLabels = (errors: FormErrors): FormErrors =>
  Object.fromEntries(
    Object.entries(errors).map(([path, message]) => {
      const named = Object.entries(THING_LABELS).find(([field]) => message.startsWith(`${field} `));
      return [path, named ? `${named[1]}${message.slice(named[0].length)}` : message];
    }),
  );

/** A thing of a kind that can still be reported. */
export const emptyThing = (key: number, kinds: readonly ItemKind[] = ITEM_KINDS): Thing => ({
  ...{ key, what: '', worth: '', ageMonths: '', asked: '' },
  kind: kinds.includes('stained') ? 'stained' : (kinds[0] ?? 'missing'),
});
export const emptyReport = (kinds?: readonly ItemKind[]): ReportValues => ({
  items: [emptyThing(0, kinds)],
  words: '',
  fileIds: [],
});

/** With a key that no thing of the form has had. */
export const addThing = (items: readonly Thing[], kinds?: readonly ItemKind[]): Thing[] => [
  ...items,
  emptyThing(Math.max(...items.map(({ key }) => key)) + 1, kinds),
];

/** What is asked for all things, in dollars. What is not a number yet counts as nothing. */
export function totalAsked(items: readonly Pick<Thing, 'asked'>[]): number {
  const asked = items.map(({ asked: typed }) => ({ asked: toCents(Math.max(0, readNumber(typed, 'dollars') || 0)) }));
  return sumClaimed(asked) / 100;
}

export function reportBody({ items, words, fileIds }: ReportValues, orderId: string) {
  const typed = items.map(({ what, kind, worth, ageMonths, asked }) => ({
    ...{ what, kind },
    ...{ worth: readNumber(worth, 'dollars'), asked: readNumber(asked, 'dollars') },
    ageMonths: readNumber(ageMonths, 'whole'),
  }));
  return { kind: 'claim' as const, orderId, items: typed, words, fileIds };
}

/** What is wrong with the total; undefined when nothing is. */
export const capProblem = (items: readonly Pick<Thing, 'asked'>[], caps: Caps | undefined): string | undefined =>
  caps && totalAsked(items) > caps.order ? `At most ${formatMoney(caps.order)} for one order` : undefined;

export function checkReport(values: ReportValues, orderId: string, caps: Caps | undefined): FormErrors {
  const overCap = capProblem(values.items, caps);
  return {
    ...sayLabels(validateFields(createCase.body, reportBody(values, orderId))),
    ...(overCap === undefined ? {} : { items: overCap }),
    ...(needsPhoto(values.items) && values.fileIds.length === 0 ? { fileIds: 'Add a photo of it' } : {}),
  };
}
