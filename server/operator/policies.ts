import {
  POLICIES,
  POLICY_NAMES,
  type PolicyName,
  PRESETS,
  type Preset,
  policyValuesOf,
} from '../../domain/policies.ts';
import type { Acts, ConsoleContext, OperatorHandlers } from '../operatorContext.ts';
import { startOfChange } from '../payments/prices/townDays.ts';
import { findComingPolicy, readPolicy, setPolicy, setPreset } from '../town/policies.sql.ts';

export const policyHandlers = (context: ConsoleContext): Pick<OperatorHandlers, 'listPolicies'> => ({
  listPolicies: async () => {
    const policies = await Promise.all(POLICY_NAMES.map((name) => viewOf(context, name)));
    return { policies, preset: PRESETS.find((preset) => policies.every(({ value }) => value === preset)) ?? null };
  },
});

async function viewOf({ db, now }: ConsoleContext, name: PolicyName) {
  const [row, next] = [await readPolicy(db, name, now()), await findComingPolicy(db, name, now())];
  return {
    name,
    value: (row?.value ?? policyValuesOf(name)[0]) as Preset,
    from: row?.validFrom.toISOString() ?? null,
    setBy: row?.setBy ?? null,
    next: next ? { value: next.value as Preset, from: next.validFrom.toISOString(), setBy: next.setBy } : null,
    values: policyValuesOf(name).map((value) => ({ value, words: [...POLICIES[name][value]] })),
  };
}

export const POLICY_ACTS: Pick<Acts, 'setPolicy' | 'setPreset'> = {
  setPolicy: {
    run: async ({ context, operator, params: { id: name }, body: { value } }) => {
      const { db, now } = context;
      const from = await startOfChange(context, {}, operator);
      const before = (await readPolicy(db, name, now()))?.value ?? policyValuesOf(name)[0];
      await setPolicy(db, { name, value, setBy: operator.fullname }, from);
      return { details: { from: from.toISOString(), before } };
    },
  },
  setPreset: {
    run: async ({ context, operator, body: { preset } }) => {
      const from = await startOfChange(context, {}, operator);
      await setPreset(context.db, preset, operator.fullname, from);
      return { details: { from: from.toISOString() } };
    },
  },
};
