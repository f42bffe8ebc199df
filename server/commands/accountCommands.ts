import { type ApiCommand, describeAct, reasonOf } from './apiCommand.ts';
import { CommandError } from './commandError.ts';
import { parseRights } from './rights.ts';

/** The commands about operators and approvals. */
export const ACCOUNT_COMMANDS: Readonly<Record<string, ApiCommand>> = {
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
