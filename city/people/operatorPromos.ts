import type { PromoTerms } from '../checks/prices.ts';
import type { Operator } from './operator.ts';
import { type Act, pick } from './person.ts';
import { withFreshFactor } from './secondFactor.ts';

/** Operators of a city make this many codes at most: with more, hardly any would be used up. */
const MOST_CODES = 6;
const ENDS = 0.4;

/** What an operator may do about promo codes now. */
export function promoActsOf(operator: Operator): Act[] {
  const { made, board } = operator;
  const live = board.codes.filter(({ code }) => made.has(code) && !board.mayBeOver(code));
  const waiting = [...made.values()].filter(({ code }) => board.find(code) === undefined);
  return [
    ...(made.size < MOST_CODES ? [{ weight: 3 / (1 + made.size), run: () => makePromo(operator) }] : []),
    ...(waiting.length > 0 ? [{ weight: 2, run: () => lookForApproved(operator, waiting) }] : []),
    ...(live.length > 2 ? [{ weight: ENDS, run: () => endPromo(operator, pick(operator.random, live)) }] : []),
    { weight: 1, run: () => answerApprovals(operator) },
  ];
}

/** Small codes are used up soon. Another operator must approve a large one. */
function drawTerms({ random, number, made }: Operator): PromoTerms {
  const code = `CITY-${number}-${made.size + 1}`;
  const base = { code, minTotal: 0, firstOrderOnly: false, maxUses: 2 + Math.floor(random() * 4) };
  const dice = random();
  // The first one has a single use, so that even a short day has one that is used up.
  if (made.size === 0) return { ...base, kind: 'amount', value: 4, maxUses: 1 };
  if (dice < 0.3) return { ...base, kind: 'amount', value: (300 + Math.floor(random() * 500)) / 100, maxUsesPerBud: 1 };
  if (dice < 0.6) return { ...base, kind: 'percent', value: 5 + Math.floor(random() * 30), maxDiscount: 6 };
  if (dice < 0.7) return { ...base, kind: 'amount', value: 5, firstOrderOnly: true };
  if (dice < 0.8) return { ...base, kind: 'percent', value: 100, maxDiscount: 30, minTotal: 20 };
  // More than the limit of a day.
  return { ...base, kind: 'amount', value: 6, maxUses: 100 };
}

export async function makePromo(operator: Operator): Promise<void> {
  const terms = drawTerms(operator);
  const { code } = terms;
  operator.made.set(code, terms);
  const body = { ...terms, reason: 'A street that is new to us' };
  const done = await withFreshFactor(operator, () =>
    operator.phone.press(`make the code ${code}`, [], (api, idempotencyKey) => api.addPromo({ body, idempotencyKey })),
  );
  // Another one waits for approval.
  if (!done.ok && done.status === 409) operator.made.delete(code);
  if (done.ok && done.answer.approvalId === null) await announce(operator, [terms]);
}

const lookForApproved = (operator: Operator, waiting: readonly PromoTerms[]) => announce(operator, waiting);

/** Tells people of the codes that exist now, and checks that they have the terms that were asked for. */
async function announce({ name, phone, board, report }: Operator, wanted: readonly PromoTerms[]): Promise<void> {
  const list = await phone.read('the promo codes', [], (api) => api.listPromos({ query: {} }));
  for (const terms of wanted) {
    const found = list?.items.find(({ code }) => code === terms.code);
    if (!found || board.find(terms.code)) continue;
    const { kind, value, maxDiscount = null, minTotal, firstOrderOnly, maxUses, maxUsesPerBud = null } = terms;
    const asked = JSON.stringify([kind, value, maxDiscount, minTotal, firstOrderOnly, maxUses, maxUsesPerBud]);
    const isThere = JSON.stringify([
      ...[found.kind, found.value, found.maxDiscount, found.minTotal],
      ...[found.firstOrderOnly, found.maxUses, found.maxUsesPerBud],
    ]);
    if (asked !== isThere)
      report('what was answered once is there afterwards', `${name}: ${terms.code} is ${isThere} instead of ${asked}`);
    board.post(terms);
  }
}

async function endPromo(operator: Operator, terms: PromoTerms | undefined): Promise<void> {
  if (!terms) return;
  const { phone, board } = operator;
  const { code } = terms;
  const list = await phone.read('the promo codes', [], (api) => api.listPromos({ query: {} }));
  const id = list?.items.find((one) => one.code === code)?.id;
  if (id === undefined) return;
  board.beginEnding(code);
  const body = { reason: 'It was posted on a site for codes' };
  const done = await phone.press(`end the code ${code}`, [], (api, idempotencyKey) =>
    api.endPromo({ params: { id }, body, idempotencyKey }),
  );
  if (done.ok && done.answer.approvalId === null) board.markEnded(code);
}

/** Approves or declines what another operator has asked for. */
async function answerApprovals(operator: Operator): Promise<void> {
  const { phone, random } = operator;
  const list = await phone.read('what waits for approval', [], (api) => api.listApprovals({ query: {} }));
  const one = pick(random, list?.items.filter(({ canDecide }) => canDecide) ?? []);
  if (!one) return;
  const decision = random() < 0.85 ? 'approve' : 'decline';
  const request = { params: { id: one.id }, body: { reason: 'We have talked about it' } };
  await withFreshFactor(operator, () =>
    phone.send(`${decision} what was asked for`, [], (api) => api[decision](request)),
  );
}
