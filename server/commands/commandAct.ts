import type { AuditSubject } from '../../contract/operator/call.ts';
import type { Cents } from '../../domain/payments.ts';
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
  readonly subject?: { readonly kind: AuditSubject; readonly id: string };
  readonly reason: string | undefined;
  /** What was asked for. */
  readonly details?: object;
};

/** What it has done. */
export type CommandResult = { readonly text: string; readonly cents?: Cents; readonly details?: object };

/** Changes something in one transaction, with one row in the audit: for commands of an installation that has no operator yet. */
export function runCommandAct<R extends CommandResult>(
  context: CommandContext,
  { action, subject, reason, details }: CommandAct,
  work: (inside: CommandContext) => Promise<R>,
): Promise<R> {
  return transactWithEffects(context, async (inside) => {
    await lockAudit(inside.db);
    const act: CommandContext = { ...context, ...inside };
    await refuseUnlessFirst(act);
    const result = await work(act);
    await writeAudit(inside.db, {
      ...{ at: context.now(), operatorId: null, operatorName: context.user, action },
      ...{ subjectKind: subject?.kind ?? 'town', subjectId: subject?.id ?? null },
      ...{ reason: reason ?? `npm run operator -- ${action}`, cents: result.cents ?? null },
      details: JSON.stringify({ ...details, ...result.details }),
      ...{ requestId: null, approvedBy: null, approvedByName: null, approvalId: null },
    });
    return result;
  });
}

/** Once there are operators, the person who changes something says who they are: then it is a call of the console. */
async function refuseUnlessFirst({ db }: Pick<CommandContext, 'db'>): Promise<void> {
  if ((await countOperators(db)) > 0) throw new CommandError('say who you are: --as <your e-mail as an operator>');
}

/** Refuses what may need a second operator: nobody does it alone because there is no operator yet. */
export async function refuseWithoutOperators({ db }: Pick<CommandContext, 'db'>): Promise<never> {
  await refuseUnlessFirst({ db });
  throw new CommandError(
    'only operators do this, and a second one may have to say yes. There is none yet: npm run operator -- invite <your e-mail>, then add --as <your e-mail>',
  );
}
