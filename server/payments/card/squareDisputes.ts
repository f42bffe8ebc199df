import { awaitsEvidence } from '../../../domain/disputes.ts';
import { type CardDisputes, type CardNetworkDispute, evidenceKey, type Refused } from './cards.ts';
import { findRefusal, type RunSquare, refused, refuseUnclear, type SquareContext } from './squareAnswers.ts';
import type { SquareDispute } from './squareClient.ts';

/** Square's Disputes API. What an earlier try has done is read from the dispute. */
export const createSquareDisputes = (run: RunSquare): CardDisputes => ({
  list: async (cursor) => {
    const page = await run(({ square, wait }) => square.listDisputes(cursor, wait).catch(refuseUnclear));
    const disputes = (page.disputes ?? []).map(toDispute);
    return { disputes, ...(page.cursor ? { cursor: page.cursor } : {}) };
  },
  sendEvidence: (squareId, pieces) => run((context) => sendEvidence(context, squareId, pieces)),
  accept: (squareId) =>
    run((context) =>
      change(context, squareId, async (dispute) => {
        if (!awaitsEvidence(dispute.state)) return undefined;
        return findRefusal(context.square.acceptDispute(squareId, context.wait));
      }),
    ),
});

function sendEvidence(context: SquareContext, disputeId: string, pieces: readonly string[]) {
  const { square, wait } = context;
  return change(context, disputeId, async (dispute) => {
    if (!awaitsEvidence(dispute.state)) return undefined;
    for (const [place, text] of pieces.entries()) {
      const idempotencyKey = evidenceKey(disputeId, place, text);
      const refusal = await findRefusal(square.createEvidenceText({ idempotencyKey, disputeId, text }, wait));
      if (refusal !== undefined) return refusal;
    }
    return findRefusal(square.submitEvidence(disputeId, wait));
  });
}

/** Changes a dispute, and reads what it is afterwards. A refusal counts only while the dispute is as before. */
async function change(
  { square, wait }: SquareContext,
  squareId: string,
  work: (dispute: SquareDispute) => Promise<string | undefined>,
): Promise<CardNetworkDispute | Refused> {
  const before = await square.getDispute(squareId, wait).catch(refuseUnclear);
  const refusal = await work(before);
  const after = await square.getDispute(squareId, wait).catch(refuseUnclear);
  // Another try may have been faster.
  if (refusal !== undefined && after.state === before.state) return refused(refusal);
  return toDispute(after);
}

function toDispute(dispute: SquareDispute): CardNetworkDispute {
  const { id, dispute_id, amount_money, reason, state, version, due_at, created_at, disputed_payment } = dispute;
  const squareId = dispute_id ?? id;
  if (!squareId) throw new Error('a dispute of the card network has no id');
  const times = { dueAt: due_at ? new Date(due_at) : null, createdAt: created_at ? new Date(created_at) : null };
  const { payment_id: paymentId } = disputed_payment;
  return { squareId, paymentId, amount: amount_money.amount, reason, state, version: version ?? 0, ...times };
}
