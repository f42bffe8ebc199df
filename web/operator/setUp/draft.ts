import type { TownPolicy } from '../../../contract/operator/policies.ts';
import type { TownPrice } from '../../../contract/operator/prices.ts';
import type { CardFee } from '../../../domain/orderShares.ts';
import { LARGER_SIZES, type LargerSize } from '../../../domain/orders.ts';
import type { PriceItem, Tariff } from '../../../domain/payments.ts';
import { POLICY_NAMES, type PolicyName, type Preset } from '../../../domain/policies.ts';
import { findPriceProblem, toStoredPrice } from '../../../domain/prices.ts';
import { PROPOSED_POUNDS, type SetUpSection } from '../../../domain/setUp.ts';
import { type NumberKind, readNumber } from '../../ui/typedNumber.ts';

/** The amounts that are typed, in their order, with the kind of number. */
export const TYPED_ITEMS = {
  'wash-and-fold': 'dollars',
  pickup: 'dollars',
  delivery: 'dollars',
  'platform-fee': 'decimal',
  taxes: 'decimal',
} as const satisfies Partial<Record<PriceItem, NumberKind>>;
export type TypedItem = keyof typeof TYPED_ITEMS;

/** What an operator has chosen in the set-up and not saved yet. */
export type Draft = {
  readonly timeZone: string;
  readonly preset: Preset;
  readonly policies: Readonly<Record<PolicyName, Preset>>;
  readonly typed: Readonly<Record<TypedItem, string>>;
  readonly pounds: Readonly<Record<LargerSize, number>>;
  readonly cardPercent: string;
  readonly cardDollars: string;
};

/** The policies of each section. */
export const SECTION_POLICIES = {
  rules: ['privacy', 'proof', 'silence', 'start'],
  prices: ['weighing'],
  workers: ['admission'],
} as const satisfies Partial<Record<SetUpSection, readonly PolicyName[]>>;

const isSold = (pounds: Draft['pounds']) => LARGER_SIZES.some((size) => pounds[size] > 0);

type Known = {
  readonly answered: readonly SetUpSection[];
  readonly timeZone: string;
  readonly prices: readonly TownPrice[];
  readonly policies: readonly TownPolicy[];
};

/** What the town has, and what is proposed in sections that nobody has answered: the larger sizes, and weighing with them. */
export function startDraft({ answered, timeZone, prices, policies }: Known): Draft {
  const amountOf = (item: PriceItem) => prices.find((price) => price.item === item)?.value ?? 0;
  const textOf = (item: TypedItem) =>
    TYPED_ITEMS[item] === 'dollars' ? amountOf(item).toFixed(2) : String(amountOf(item));
  const present = Object.fromEntries(
    POLICY_NAMES.map((name) => [name, policies.find((policy) => policy.name === name)?.value ?? 'open']),
  ) as Record<PolicyName, Preset>;
  const arePricesNew = !answered.includes('prices');
  return {
    timeZone: answered.includes('town') ? timeZone : Intl.DateTimeFormat().resolvedOptions().timeZone,
    preset: present.privacy,
    policies: {
      ...present,
      ...(arePricesNew ? { weighing: 'careful' } : {}),
      // Who may work was proposed with the rules, and nobody has answered it yet.
      ...(answered.includes('rules') && !answered.includes('workers') ? { admission: present.privacy } : {}),
    },
    typed: Object.fromEntries(
      (Object.keys(TYPED_ITEMS) as TypedItem[]).map((item) => [item, textOf(item)]),
    ) as Draft['typed'],
    pounds: Object.fromEntries(
      LARGER_SIZES.map((size) => [size, amountOf(`size-${size}`) || (arePricesNew ? PROPOSED_POUNDS[size] : 0)]),
    ) as Draft['pounds'],
    cardPercent: '2.9',
    cardDollars: '0.30',
  };
}

/** All rules of a preset. Larger sizes go on being weighed. */
export function choosePreset(draft: Draft, preset: Preset): Draft {
  const policies = Object.fromEntries(POLICY_NAMES.map((name) => [name, preset])) as Draft['policies'];
  return { ...draft, preset, policies: isSold(draft.pounds) ? { ...policies, weighing: 'careful' } : policies };
}

/** Sells a larger size, or does not. Weighing is proposed with the first one. */
export function toggleSize(draft: Draft, size: LargerSize): Draft {
  const pounds = { ...draft.pounds, [size]: draft.pounds[size] > 0 ? 0 : PROPOSED_POUNDS[size] };
  const isFirst = !isSold(draft.pounds);
  return { ...draft, pounds, policies: isFirst ? { ...draft.policies, weighing: 'careful' } : draft.policies };
}

/** Why what is typed cannot be the value of an item; undefined when it can. */
export function findTypedProblem(item: TypedItem, text: string): string | undefined {
  const value = readNumber(text, TYPED_ITEMS[item]);
  if (value === undefined) return 'Enter a number';
  return Number.isNaN(value) ? undefined : findPriceProblem(item, value);
}

type NewPrice = { readonly item: PriceItem; readonly value: number };

/** The prices of a draft; undefined while something is not a number. */
export function pricesOf({ typed, pounds }: Draft): NewPrice[] | undefined {
  const amounts = (Object.keys(TYPED_ITEMS) as TypedItem[]).map((item) => ({
    item,
    value: readNumber(typed[item], TYPED_ITEMS[item]) ?? Number.NaN,
  }));
  if (amounts.some(({ item, value }) => !(value >= 0) || findPriceProblem(item, value))) return undefined;
  return [...amounts, ...LARGER_SIZES.map((size) => ({ item: `size-${size}` as const, value: pounds[size] }))];
}

/** The tariff of a draft, for the table of shares. */
export function tariffOf(draft: Draft, rounding: Tariff['taxRounding']): Tariff | undefined {
  const prices = pricesOf(draft);
  if (!prices) return undefined;
  const stored = (item: PriceItem) => toStoredPrice(item, prices.find((price) => price.item === item)?.value ?? 0);
  return {
    perPound: stored('wash-and-fold'),
    pickup: stored('pickup'),
    delivery: stored('delivery'),
    platformFeeRate: stored('platform-fee'),
    taxRate: stored('taxes'),
    ...(rounding ? { taxRounding: rounding } : {}),
    largerSizes: draft.pounds,
  };
}

/** What the card network keeps, as it is typed. */
export function cardFeeOf({ cardPercent, cardDollars }: Draft): CardFee | undefined {
  const [percent, dollars] = [readNumber(cardPercent, 'decimal') ?? 0, readNumber(cardDollars, 'dollars') ?? 0];
  return percent >= 0 && percent <= 100 && dollars >= 0
    ? { rate: Math.round(percent * 100), fixed: Math.round(dollars * 100) }
    : undefined;
}

type Answers = {
  readonly timeZone?: string;
  readonly policies?: { name: PolicyName; value: Preset }[];
  readonly prices?: NewPrice[];
};

/** What the act of the set-up gets for these sections. */
export function answersOf(draft: Draft, sections: readonly SetUpSection[]): Answers {
  const names = sections.flatMap((section): readonly PolicyName[] =>
    section in SECTION_POLICIES ? SECTION_POLICIES[section as keyof typeof SECTION_POLICIES] : [],
  );
  const prices = sections.includes('prices') ? pricesOf(draft) : undefined;
  return {
    ...(sections.includes('town') ? { timeZone: draft.timeZone } : {}),
    ...(names.length > 0 ? { policies: names.map((name) => ({ name, value: draft.policies[name] })) } : {}),
    ...(prices ? { prices } : {}),
  };
}
