import { PRESETS } from '../../domain/policies.ts';
import { SET_UP_SECTIONS } from '../../domain/setUp.ts';
import { refuse, refuseProperty } from '../http/refusals.ts';
import type { Acts, ConsoleContext, OperatorHandlers } from '../operatorContext.ts';
import { changePrices, refuseWrongPrices } from '../payments/prices/changePrices.ts';
import { startOfChange } from '../payments/prices/townDays.ts';
import { hasOrders } from '../town/firstOrder.sql.ts';
import { readPolicy, setPolicy } from '../town/policies.sql.ts';
import { readSettingRow, readSettings, writeSetting } from '../town/settings.sql.ts';
import { listConnections, tryConnection } from './connections.ts';
import { listNeededDocuments } from './setUp.sql.ts';
import { refuseWrongTimeZone } from './town.ts';

type SetUpCalls = Pick<OperatorHandlers, 'readSetUp' | 'testConnection'>;

export const setUpHandlers = (context: ConsoleContext): SetUpCalls => ({
  readSetUp: async () => {
    const { db, now, config } = context;
    const { answered, isDone } = (await readSettings(db, now())).setUp;
    const row = isDone ? await readSettingRow(db, 'setUp', now()) : undefined;
    return {
      answered: [...answered],
      done: row ? { by: row.setBy, at: row.validFrom.toISOString() } : null,
      connections: listConnections(config),
      documents: await listNeededDocuments(db),
    };
  },
  testConnection: async ({ operator, from, body: { name } }) => {
    await context.rateLimits.countConnectionTest(from);
    return tryConnection(name, { context, operator, storage: context.files.storage });
  },
});

export const SET_UP_ACTS: Pick<Acts, 'setUpTown'> = {
  setUpTown: {
    check: async ({ context: { db, now }, operator, body: { timeZone, policies, prices } }) => {
      if ((policies || prices) && !operator.caps.includes('prices')) refuse('noRight');
      if (timeZone !== undefined) {
        refuseWrongTimeZone(timeZone);
        // The limits of a day begin anew with it.
        if (timeZone !== (await readSettings(db, now())).timeZone && (await hasOrders(db)))
          refuseProperty(
            'timeZone',
            'isEarly',
            'Change the time zone in Operators & settings: there were orders already',
          );
      }
      refuseWrongPrices(prices ?? []);
    },
    // Answers without a change, as of the connections, are nobody else's matter.
    needsApproval: async ({ body: { timeZone, policies, prices } }) =>
      timeZone !== undefined || policies !== undefined || prices !== undefined,
    run: async ({ context, operator, body }) => {
      const { db, now } = context;
      const { answered, timeZone, policies = [], prices = [], isDone } = body;
      const setBy = operator.fullname;
      const settings = await readSettings(db, now());
      const from = await startOfChange(context, {}, operator);
      if (timeZone !== undefined) await writeSetting(db, { name: 'timeZone', value: timeZone, setBy, from: now() });
      const policiesBefore: Record<string, string> = {};
      for (const { name, value } of policies) {
        policiesBefore[name] = (await readPolicy(db, name, now()))?.value ?? PRESETS[0];
        await setPolicy(db, { name, value, setBy }, from);
      }
      const pricesBefore = await changePrices(db, prices, from);
      const sections = SET_UP_SECTIONS.filter((one) => [...settings.setUp.answered, ...answered].includes(one));
      const value = { answered: sections, isDone: settings.setUp.isDone || isDone === true };
      await writeSetting(db, { name: 'setUp', value, setBy, from: now() });
      return {
        details: {
          ...(timeZone === undefined ? {} : { timeZoneBefore: settings.timeZone }),
          ...(policies.length > 0 ? { policiesBefore } : {}),
          ...(prices.length > 0 ? { pricesBefore } : {}),
          ...(policies.length + prices.length > 0 ? { from: from.toISOString() } : {}),
        },
      };
    },
  },
};
