import type { TownWindows } from '../../contract/operator/windows.ts';
import { toCents, toDollars } from '../../domain/payments.ts';
import type { PromiseCredit } from '../../domain/promises.ts';
import { findPlanProblem, isSamePlan } from '../../domain/windows.ts';
import { refuse, refuseProperty } from '../http/refusals.ts';
import type { Acts, ConsoleContext, OperatorHandlers } from '../operatorContext.ts';
import { readSettingRow, readSettings, writeSetting } from '../town/settings.sql.ts';

export const windowHandlers = ({ db, now }: ConsoleContext): Pick<OperatorHandlers, 'readWindows'> => ({
  readWindows: async () => {
    const { timeZone, windows, promiseCredit } = await readSettings(db, now());
    const row = await readSettingRow(db, 'windows', now());
    return {
      timeZone,
      plan: windows && { ...windows, pickup: [...windows.pickup], return: [...windows.return] },
      setBy: row?.setBy ?? null,
      since: row?.validFrom.toISOString() ?? null,
      credit: promiseCredit && creditInDollars(promiseCredit),
    };
  },
});

const creditInDollars = ({ cents, borneBy }: PromiseCredit): NonNullable<TownWindows['credit']> => ({
  amount: toDollars(cents),
  borneBy,
});

export const WINDOW_ACTS: Pick<Acts, 'setWindows' | 'setPromiseCredit'> = {
  setWindows: {
    run: async ({ context: { db, now }, operator, body: { before, plan } }) => {
      const problem = plan && findPlanProblem(plan);
      if (problem) refuseProperty('plan', 'isPlan', problem);
      const current = (await readSettings(db, now())).windows;
      if (!isSamePlan(before, current))
        refuse('wrongStatus', { message: 'The windows have changed since. Look at them again' });
      await writeSetting(db, { name: 'windows', value: plan, setBy: operator.fullname, from: now() });
      return {};
    },
  },
  setPromiseCredit: {
    run: async ({ context: { db, now }, operator, body: { before, credit } }) => {
      const { promiseCredit } = await readSettings(db, now());
      const current = promiseCredit && creditInDollars(promiseCredit);
      if (before?.amount !== current?.amount || before?.borneBy !== current?.borneBy)
        refuse('wrongStatus', { message: 'What a missed promise pays has changed since. Look at it again' });
      const value = credit && { cents: toCents(credit.amount), borneBy: credit.borneBy };
      await writeSetting(db, { name: 'promiseCredit', value, setBy: operator.fullname, from: now() });
      return {};
    },
  },
};
