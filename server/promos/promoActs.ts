import { PROMO_USES_PAGE, PROMOS_PAGE, type TownPromo } from '../../contract/operator/promos.ts';
import { endOfLocalDay, localDate, startOfLocalDay } from '../../domain/localDays.ts';
import { formatDollars, toCents, toDollars } from '../../domain/payments.ts';
import { findPromoProblem, MAX_PROMO_COST, maximumCostOf, type PromoTerms } from '../../domain/promos.ts';
import { readPage } from '../db/pages.ts';
import { isoTimes } from '../http/isoTimes.ts';
import { orNotFound, refuse, refuseProperty } from '../http/refusals.ts';
import type { ActInput, Acts, ConsoleContext, OperatorHandlers } from '../operatorContext.ts';
import { readSettings } from '../town/settings.sql.ts';
import {
  endPromo,
  findPromo,
  findPromoById,
  insertPromo,
  listPromos,
  listUses,
  type PromoRow,
  type PromoWithCost,
  readCost,
} from './townPromos.ts';

export const promoHandlers = (context: ConsoleContext): Pick<OperatorHandlers, 'listPromos' | 'listPromoUses'> => ({
  listPromos: ({ query: { page } }) => readPage(page, PROMOS_PAGE, (bounds) => listPromos(context.db, bounds), viewOf),
  listPromoUses: async ({ params: { id }, query: { page } }) => {
    const { db } = context;
    const promo = orNotFound(await findPromoById(db, id));
    const uses = await readPage(
      page,
      PROMO_USES_PAGE,
      (bounds) => listUses(db, id, bounds),
      ({ discount, cost, ...use }) => ({ ...isoTimes(use), discount: toDollars(discount), cost: toDollars(cost) }),
    );
    return { promo: viewOf({ ...promo, cost: await readCost(db, id) }), ...uses };
  },
});

function viewOf(promo: PromoWithCost): TownPromo {
  const { id, code, kind, value, firstOrderOnly, maxUses, maxUsesPerBud, uses, createdBy } = promo;
  const dollarsOrNull = (cents: number | null) => (cents === null ? null : toDollars(cents));
  const { minTotal, maxDiscount, cost, startsAt, endsAt, createdAt, endedAt } = promo;
  return {
    ...{ id, code, kind, firstOrderOnly, maxUses, maxUsesPerBud, uses, createdBy },
    // Hundredths of a percent, or cents.
    value: value / 100,
    ...{ minTotal: toDollars(minTotal), maxDiscount: dollarsOrNull(maxDiscount) },
    ...{ cost: toDollars(cost), atMost: dollarsOrNull(maximumCostOf(promo)) },
    ...isoTimes({ startsAt, endsAt, createdAt, endedAt }),
  };
}

type Added = ActInput<'addPromo'>;

const LAST_DAY = '2999-12-31';

/** What was asked for, in cents and times. Refuses what makes no sense, and a code that exists or existed. */
async function termsOf({ context, body }: Pick<Added, 'context' | 'body'>): Promise<PromoTerms> {
  const { code, kind, value, maxDiscount, minTotal = 0, firstOrderOnly, from, until } = body;
  const problem = findPromoProblem({ kind, value, maxDiscount, minTotal });
  if (problem) refuseProperty(problem.property, 'isPromo', problem.words);
  const { db, now } = context;
  const { timeZone } = await readSettings(db, now());
  const today = localDate(now(), timeZone);
  for (const [property, day] of Object.entries({ from, until }))
    if (day !== undefined && day > LAST_DAY) refuseProperty(property, 'isEarlier', 'Choose a day before the year 3000');
  if (until !== undefined && until < today) refuseProperty('until', 'isLater', 'This day is over');
  if (until !== undefined && from !== undefined && until < from)
    refuseProperty('until', 'isLater', 'The last day is before the first');
  if (await findPromo(db, code))
    refuse('wrongStatus', { message: `There is or was a code ${code}. Choose another one` });
  const terms: PromoTerms = {
    ...{ kind, value: Math.round(value * 100), minTotal: toCents(minTotal), firstOrderOnly, endedAt: null },
    maxDiscount: maxDiscount === undefined ? null : toCents(maxDiscount),
    startsAt: from === undefined || from <= today ? now() : startOfLocalDay(from, timeZone),
    endsAt: until === undefined ? null : endOfLocalDay(until, timeZone),
    ...{ maxUses: body.maxUses ?? null, maxUsesPerBud: body.maxUsesPerBud ?? null },
  };
  if ((maximumCostOf(terms) ?? 0) > MAX_PROMO_COST)
    refuseProperty(
      'maxUses',
      'isPromo',
      `All uses together cost ${formatDollars(MAX_PROMO_COST)} at most: allow fewer`,
    );
  return terms;
}

export const PROMO_ACTS: Pick<Acts, 'addPromo' | 'endPromo'> = {
  addPromo: {
    cents: async (input) => maximumCostOf(await termsOf(input)),
    // Without a maximum it may cost any sum.
    needsApproval: (_input, cents) => cents === null,
    run: async (input) => {
      const { context, operator, body } = input;
      const { endedAt: _none, ...terms } = await termsOf(input);
      const { db, now, newId } = context;
      const id = newId();
      const made = { id, code: body.code, createdBy: operator.fullname, createdAt: now() };
      await insertPromo(db, { ...made, ...terms });
      const { startsAt, endsAt } = terms;
      return { details: { startsAt: startsAt.toISOString(), endsAt: endsAt?.toISOString() ?? null }, subjectId: id };
    },
  },
  endPromo: {
    about: async ({ context, params }) => ({ code: (await readPromo(context, params.id)).code }),
    run: async ({ context, params: { id } }) => {
      const { db, now } = context;
      const { code, uses } = await readPromo(context, id);
      if (!(await endPromo(db, id, now()))) refuse('wrongStatus', { message: `${code} has ended already` });
      return { details: { code, uses } };
    },
  },
};

const readPromo = async ({ db }: ConsoleContext, id: string): Promise<PromoRow> =>
  orNotFound(await findPromoById(db, id));
