import { PERMISSIONS } from '../../domain/operators.ts';
import { transactWithEffects } from '../jobs/transactWithEffects.ts';
import { lockAudit, writeAudit } from '../operator/audit.sql.ts';
import { inviteByMail } from '../operator/invitations.ts';
import { countOperators } from '../operator/operators.sql.ts';
import type { CommandContext } from './command.ts';
import { CommandError } from './commandError.ts';

/** `invite <e-mail>`, for the first operators: they get every right, and the link is printed as well. */
export async function inviteFirst(context: CommandContext, email = ''): Promise<string> {
  if (!email.includes('@')) throw new CommandError('invite <e-mail>');
  const link = await transactWithEffects(context, async (inside) => {
    await lockAudit(inside.db);
    if ((await countOperators(inside.db)) > 0)
      throw new CommandError(
        'there are operators already: invite-operator --email … --caps see,help --as <your e-mail>',
      );
    await writeAudit(inside.db, {
      ...{ at: context.now(), operatorId: null, operatorName: context.user, action: 'inviteOperator' },
      ...{ subjectKind: 'town', subjectId: null, reason: 'The first operator', cents: null },
      details: JSON.stringify({ email, caps: PERMISSIONS }),
      ...{ requestId: null, approvedBy: null, approvedByName: null, approvalId: null },
    });
    return inviteByMail(inside, { email, caps: PERMISSIONS });
  });
  return `${email} has a mail with this link, and becomes an operator with it:\n${link}`;
}
