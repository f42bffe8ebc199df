import type { ActAnswer } from '../../contract/operator/call.ts';
import type { OperatorClient } from '../../contract/operator/client.ts';
import type { CommandArguments } from './commandAct.ts';
import { CommandError } from './commandError.ts';
import { parseRights } from './rights.ts';

type ApiCommand = (api: OperatorClient, args: CommandArguments) => Promise<string>;

/** Commands that are calls of the console. */
export const API_COMMANDS: Readonly<Record<string, ApiCommand>> = {
  invite: async (api, { words: [email = ''], flags }) => {
    const caps = parseRights(flags.rights ?? 'see');
    return describeAct(
      await api.inviteOperator({ body: { email, caps, reason: reasonOf(flags) } }),
      `${email} has a mail`,
    );
  },
  'reset-factor': async (api, { words: [email = ''], flags }) => {
    const { items } = await api.listOperators();
    const operator = items.find((one) => one.email.toLowerCase() === email.toLowerCase());
    if (!operator) throw new CommandError(`there is no operator with the e-mail "${email}": operators shows them`);
    const answer = await api.resetFactor({ params: { id: operator.id }, body: { reason: reasonOf(flags) } });
    return describeAct(answer, `${email} has a mail with a link. The second factor of before no longer works.`);
  },
  approvals: async (api) => {
    const { items } = await api.listApprovals({ query: { state: 'waiting' } });
    if (items.length === 0) return 'Nothing waits for a second operator.';
    return items
      .map(({ id, action, reason, askedBy, amount, details }) => {
        const sum = amount === null ? '' : `, $${amount.toFixed(2)}`;
        return `${id}  ${action}${sum}, asked by ${askedBy.name}: ${reason}\n  ${JSON.stringify(details)}`;
      })
      .join('\n');
  },
  approve: async (api, { words: [id = ''], flags }) => {
    await api.approve({ params: { id }, body: { reason: reasonOf(flags) } });
    return 'Done: it has happened now, in the name of both.';
  },
  decline: async (api, { words: [id = ''], flags }) => {
    await api.decline({ params: { id }, body: { reason: reasonOf(flags) } });
    return 'Declined: nothing happens.';
  },
};

function reasonOf({ reason }: CommandArguments['flags']): string {
  if (!reason?.trim()) throw new CommandError('--reason is missing: it is written into the audit');
  return reason;
}

const describeAct = ({ approvalId }: ActAnswer, done: string): string =>
  approvalId === null
    ? done
    : `It waits for a second operator: approve ${approvalId} --as <their e-mail> --reason <text>`;
