import type { AuditSubject } from '../../contract/operator/call.ts';
import type { Cap } from '../../domain/operators.ts';
import type { Cents } from '../../domain/payments.ts';
import { findActor } from '../operator/actors.ts';
import { transactWithEffects } from '../operator/acts.ts';
import { lockAudit, writeAudit } from '../operator/audit.sql.ts';
import type { ConsoleContext } from '../operator/operatorContext.ts';
import { countOperators } from '../operator/operators.sql.ts';
import { CommandError } from './commandError.ts';

/** What a command runs with. */
export type CommandContext = ConsoleContext & {
  /** Who typed it: the name of a user of the machine. */
  readonly user: string;
  /** The e-mail address of the operator who acts. */
  readonly as: string | undefined;
};

/** What was typed after the name of a command. */
export type CommandArguments = {
  readonly words: readonly string[];
  readonly flags: { readonly [name: string]: string | undefined };
  /** All of it, for commands whose flags may come more than once. */
  readonly rest: readonly string[];
};

/** Something that a command changes. */
export type CommandAct = {
  /** What the audit calls it. */
  readonly action: string;
  /** The right that an operator needs for it. */
  readonly cap: Cap;
  readonly subject?: { readonly kind: AuditSubject; readonly id: string };
  readonly reason: string | undefined;
  /** What was asked for. */
  readonly details?: object;
};

/** What it has done. */
export type CommandResult = { readonly text: string; readonly cents?: Cents; readonly details?: object };

/** Changes something in one transaction, with one row in the audit: for commands that are no calls of the console. */
export function runCommandAct<R extends CommandResult>(
  context: CommandContext,
  { action, cap, subject, reason, details }: CommandAct,
  work: (inside: CommandContext) => Promise<R>,
): Promise<R> {
  return transactWithEffects(context, async (inside) => {
    await lockAudit(inside.db);
    const act: CommandContext = { ...context, ...inside };
    const actor = await findCommandActor(act, cap);
    const result = await work(act);
    await writeAudit(inside.db, {
      ...{ at: context.now(), operatorId: actor.id, operatorName: actor.fullname, action },
      ...{ subjectKind: subject?.kind ?? 'town', subjectId: subject?.id ?? null },
      ...{ reason: reason ?? `npm run operator -- ${action}`, cents: result.cents ?? null },
      details: JSON.stringify({ ...details, ...result.details }),
      ...{ requestId: null, approvedBy: null, approvedByName: null, approvalId: null },
    });
    return result;
  });
}

/** Who acts: the operator of `--as`. Before there are operators, the user of the machine. */
async function findCommandActor(
  context: CommandContext,
  cap: Cap,
): Promise<{ readonly id: string | null; readonly fullname: string }> {
  const { as, user } = context;
  const operator = as === undefined ? undefined : await findActor(context, as);
  if (operator?.caps.includes(cap)) return operator;
  if (operator) throw new CommandError(`${operator.fullname} does not have the right "${cap}", which this needs`);
  if ((await countOperators(context.db)) === 0) return { id: null, fullname: user };
  if (as === undefined) throw new CommandError('say who you are: --as <your e-mail as an operator>');
  throw new CommandError(`there is no operator with the e-mail ${as}`);
}
