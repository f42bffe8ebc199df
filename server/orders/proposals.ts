import type { ProposalOfMail } from '../../contract/proposals.ts';
import { findOtherWindows } from '../../domain/moves.ts';
import { isOpenStatus } from '../../domain/orders.ts';
import type { WindowKind } from '../../domain/windows.ts';
import type { Context } from '../context.ts';
import { isoTimes } from '../http/isoTimes.ts';
import { orNotFound, refuse } from '../http/refusals.ts';
import type { Handlers } from '../http/routes.ts';
import { readProposalToken } from '../notifications/proposalLinks.ts';
import type { NotificationKeys } from '../notifications/vapidKeys.ts';
import { readSettings } from '../town/settings.sql.ts';
import { readIsTaken, readWindowRules, timesOf } from './moveFacts.sql.ts';
import { factsOf, readDeliveries } from './orderFacts.sql.ts';
import { findOrder } from './orders.sql.ts';
import { readProposalOfMail } from './proposals.sql.ts';
import { takeOrderStep } from './steps.ts';

const ACTIONS = { yes: 'accept-window', no: 'refuse-window' } as const;

/** What the link of a proposal's mail does: whoever has it reads the proposal, and answers it for the Bud. */
export function proposalHandlers(
  context: Context,
  keys: NotificationKeys,
): Pick<Handlers, 'readOtherWindows' | 'readProposal' | 'answerProposal'> {
  const { db, now } = context;
  const idOf = (token: string) => readProposalToken(keys.linkSecret, token) ?? refuse('badUnsubscribeLink');
  const read = async (id: string) => orNotFound(await readProposalOfMail(db, id));
  const answerWith = async (proposal: Awaited<ReturnType<typeof read>>): Promise<ProposalOfMail> => {
    const { timeZone } = await readSettings(db, now());
    const { orderId: _order, budId: _bud, pickup, return: back, agreed, ...rest } = proposal;
    return {
      ...{ ...rest, timeZone, pickup: pickup && isoTimes(pickup), return: isoTimes(back) },
      agreed: { pickup: isoTimes(agreed.pickup), return: isoTimes(agreed.return) },
    };
  };
  return {
    readOtherWindows: async ({ caller, params }) => {
      const at = now();
      const order = orNotFound(await findOrder(db, caller, params.id));
      const rules = await readWindowRules(db, order.id, at);
      const { timeZone } = rules.closed;
      const times = timesOf(order);
      if (!times || !isOpenStatus(order.status)) return { timeZone, pickup: [], return: [], fastest: 'standard' };
      const { hasPickupBegun } = factsOf(order, await readDeliveries(db, order.id));
      const found = findOtherWindows(times, rules, { role: caller.role, hasPickupBegun }, at);
      const isTaken = await readIsTaken(db, order.id, rules, caller, at);
      const offered = (kind: WindowKind) => found[kind].filter((window) => !isTaken(kind, window)).map(isoTimes);
      return { timeZone, fastest: found.fastest, pickup: offered('pickup'), return: offered('return') };
    },
    readProposal: async ({ query: { token } }) => answerWith(await read(idOf(token))),
    answerProposal: async ({ body: { token, answer } }) => {
      const proposalId = idOf(token);
      const proposal = await read(proposalId);
      // The same answer may come twice: the first one's confirmation was lost.
      if (proposal.answer !== answer) {
        const bud = { role: 'Bud', id: proposal.budId } as const;
        await takeOrderStep(context, bud, { id: proposal.orderId, action: ACTIONS[answer], proposalId });
      }
      return answerWith(await read(proposalId));
    },
  };
}
