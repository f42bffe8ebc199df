import {
  isPolicyName,
  POLICIES,
  POLICY_NAMES,
  type PolicyName,
  type PolicyValue,
  PRESETS,
  policyValuesOf,
} from '../../domain/policies.ts';
import type { Tx } from '../db/database.ts';
import { readPolicy, setPolicy, setPreset } from '../town/policies.sql.ts';
import { type CommandArguments, type CommandContext, type CommandResult, runCommandAct } from './commandAct.ts';
import { CommandError } from './commandError.ts';

/** `policy`, and `policy <name> <value>`. */
export async function runPolicyCommand(
  context: CommandContext,
  { words: [name, value], flags }: CommandArguments,
): Promise<CommandResult> {
  if (name === undefined) return { text: await describePolicies(context.db) };
  if (!isPolicyName(name)) throw new CommandError(`a policy is one of ${POLICY_NAMES.join(', ')}`);
  const values = policyValuesOf(name);
  const chosen = values.find((one) => one === value);
  if (!chosen) throw new CommandError(`${name} is one of ${values.join(', ')}, not "${value ?? ''}"`);
  const act = {
    action: 'policy',
    reason: flags.reason,
    details: { policy: name, value: chosen },
  } as const;
  return runCommandAct(context, act, async ({ db, now, user }) => {
    await setPolicy(db, { name, value: chosen, setBy: user }, now());
    return { text: `${name} is ${chosen} from now on, on all servers:\n${describeValue(name, chosen)}` };
  });
}

/** `preset open` and `preset careful`. */
export async function runPresetCommand(
  context: CommandContext,
  { words: [word = ''], flags }: CommandArguments,
): Promise<CommandResult> {
  const preset = PRESETS.find((one) => one === word);
  if (!preset) throw new CommandError(`a preset is one of ${PRESETS.join(', ')}, not "${word}"`);
  const act = { action: 'preset', reason: flags.reason, details: { preset } } as const;
  return runCommandAct(context, act, async ({ db, now, user }) => {
    await setPreset(db, preset, user, now());
    return { text: `The preset ${preset} holds from now on, on all servers:\n${await describePolicies(db)}` };
  });
}

const describePolicies = async (db: Tx): Promise<string> =>
  (await Promise.all(POLICY_NAMES.map((one) => describePolicy(db, one)))).join('\n');

const describeValue = <N extends PolicyName>(name: N, value: PolicyValue<N>) =>
  (POLICIES[name][value] as readonly string[]).map((sentence) => `    ${sentence}`).join('\n');

async function describePolicy(db: Tx, name: PolicyName): Promise<string> {
  const current = await readPolicy(db, name, new Date());
  const since = current ? `since ${current.validFrom.toISOString()}, by ${current.setBy}` : 'the default';
  const values = policyValuesOf(name).map((value) => `  ${value}\n${describeValue(name, value)}`);
  return [`${name}: ${current?.value ?? policyValuesOf(name)[0]} (${since})`, ...values].join('\n');
}
