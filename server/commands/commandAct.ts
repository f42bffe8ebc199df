import type { AuditSubject } from '../../contract/operator/call.ts';
import type { Cents } from '../../domain/payments.ts';
import { transactWithEffects } from '../jobs/transactWithEffects.ts';
import { lockAudit, writeAudit } from '../operator/audit.sql.ts';
import { countOperators, listOperatorAccounts } from '../operator/operators.sql.ts';
import type { ConsoleContext } from '../operatorContext.ts';
import { CommandError } from './commandError.ts';

/** The context of a command. */
export type CommandContext = ConsoleContext & {
  /** The user of the machine who typed it. */
  readonly user: string;
  /** The e-mail address of the operator who acts. */
  readonly as: string | undefined;
};

/** The arguments of a command. */
export type CommandArguments = {
  readonly words: readonly string[];
  readonly flags: { readonly [name: string]: string | undefined };
  /** All of it, for commands whose flags may come more than once. */
  readonly rest: readonly string[];
};

/** A change that a command makes. */
export type CommandAct = {
  /** Its name in the audit. */
  readonly action: string;
  readonly subject?: { readonly kind: AuditSubject; readonly id: string };
  readonly reason: string | undefined;
  /** What was asked for. */
  readonly details?: object;
};

/** Its result. */
export type CommandResult = {
  readonly text: string;
  readonly cents?: Cents;
  readonly details?: object;
  /** What a check has found. */
  readonly problems?: readonly string[];
};

/** Changes something in one transaction, with one row in the audit: for commands before there is an operator. */
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

/** Once there are operators, a command that changes something needs `--as` and is a console call. */
async function refuseUnlessFirst({ db }: Pick<CommandContext, 'db'>): Promise<void> {
  if ((await countOperators(db)) > 0) throw new CommandError(SAY_WHO);
}

const SAY_WHO = 'say who you are: --as <your e-mail as an operator>. "npm run operator -- operators" lists them';

/** Refuses what may need a second operator, because there is none yet. */
export async function refuseWithoutOperators({ db, config }: Pick<CommandContext, 'db' | 'config'>): Promise<never> {
  const operators = await listOperatorAccounts(db);
  // Those of a demo can act too, although they are not counted as the ones who approve.
  if (operators.some(({ isDemo }) => !isDemo || config.demo)) throw new CommandError(SAY_WHO);
  throw new CommandError(
    'only operators do this, and a second one may have to approve it. There is none yet: npm run operator -- invite <your e-mail>, then add --as <your e-mail>',
  );
}
