import { PERMISSIONS } from '../../domain/operators.ts';
import { transactWithEffects } from '../jobs/transactWithEffects.ts';
import { lockAudit, writeAudit } from '../operator/audit.sql.ts';
import { inviteByMail } from '../operator/invitations.ts';
import { countOperators } from '../operator/operators.sql.ts';
import type { CommandArguments, CommandContext } from './commandAct.ts';
import { CommandError } from './commandError.ts';
import { parseRights } from './rights.ts';

/** `invite <e-mail>` without `--as`, for the first operators. */
export async function inviteFirst(
  context: CommandContext,
  { words: [email], flags }: CommandArguments,
): Promise<string> {
  if (!email?.includes('@')) throw new CommandError('invite <e-mail>');
  const caps = flags.rights === undefined ? PERMISSIONS : parseRights(flags.rights);
  const link = await transactWithEffects(context, async (inside) => {
    await lockAudit(inside.db);
    if ((await countOperators(inside.db)) > 0)
      throw new CommandError('there are operators already, so say who you are: --as <your e-mail as an operator>');
    await writeAudit(inside.db, {
      ...{ at: context.now(), operatorId: null, operatorName: context.user, action: 'inviteOperator' },
      ...{ subjectKind: 'town', subjectId: null, reason: flags.reason ?? 'The first operator', cents: null },
      details: JSON.stringify({ email, caps }),
      ...{ requestId: null, approvedBy: null, approvedByName: null, approvalId: null },
    });
    return inviteByMail(inside, { email, caps });
  });
  return `${email} has a mail with this link, and becomes an operator with it:\n${link}`;
}
