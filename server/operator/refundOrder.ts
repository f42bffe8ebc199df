import type { RefundPreview } from '../../contract/operator/money.ts';
import type { LedgerLine } from '../../domain/ledger.ts';
import { type Cents, toCents, toDollars } from '../../domain/payments.ts';
import { openRefundCase } from '../cases/refundCase.ts';
import { orNotFound, refuse } from '../http/refusals.ts';
import type { ActInput, Acts, ConsoleContext, OperatorHandlers } from '../operatorContext.ts';
import { checkRefund, leftOf, previewRefund, type RefundTerms, requestRefund } from '../payments/refunds/refunds.ts';
import { runsTownAlone } from './approvals.sql.ts';
import { findOrderParts, namePeople } from './money.sql.ts';
import { isAboveRefundLimits } from './refundLimits.ts';

type Asked = {
  readonly amount?: number | undefined;
  readonly liable: RefundTerms['liable'];
  readonly deliveryId?: string | undefined;
  readonly left?: number | undefined;
};

const termsOf = (orderId: string, { amount, liable, deliveryId, left }: Asked): RefundTerms => ({
  orderId,
  liable,
  ...(left === undefined ? {} : { left: toCents(left) }),
  ...(amount === undefined ? {} : { amount: toCents(amount) }),
  ...(deliveryId === undefined ? {} : { deliveryId }),
});

/** What counts towards the limits. An impossible refund is refused before approval is requested. */
async function findAtStake(input: ActInput<'refundOrder'>): Promise<Cents> {
  const checked = await checkRefund(input.context.db, actTermsOf(input));
  if (checked.ok) return checked.atStake;
  if (checked.isOutdated) return refuse('refundedSince');
  return checked.isKnown ? refuse('wrongStatus', { message: sentenceOf(checked.why) }) : refuse('notFound');
}

/** What a second operator has approved is done as it is, also when money has gone back since. */
const actTermsOf = ({ params, body, isApproved }: ActInput<'refundOrder'>): RefundTerms =>
  termsOf(params.id, isApproved ? { ...body, left: undefined } : body);

const sentenceOf = (why: string) => why.charAt(0).toUpperCase() + why.slice(1);

export const REFUND_ACTS: Pick<Acts, 'refundOrder'> = {
  refundOrder: {
    cents: findAtStake,
    run: async (input) => {
      const { context, body } = input;
      const terms = actTermsOf(input);
      const reason = statementText(body.reason);
      const refund = await requestRefund(context, { ...terms, reason });
      if (!refund.ok && refund.isOutdated) refuse('refundedSince');
      if (!refund.ok) refuse('wrongStatus', { message: sentenceOf(refund.why) });
      const { id: refundId, amount, liableUser } = refund;
      if (terms.liable !== 'platform' && liableUser !== null) {
        const { orderId, liable, deliveryId = null } = terms;
        const borne = {
          refundId,
          orderId,
          deliveryId,
          amount,
          liable,
          liableUser,
          reason,
          by: input.operator.fullname,
        };
        await openRefundCase(context.db, borne, context.now());
        context.wake('mail');
      }
      context.wake('payments');
      return { details: { refundId: refund.id, taxes: toDollars(refund.taxes), isEverything: refund.isWhole } };
    },
  },
};

const STATEMENT_MAXIMUM = 190;
/** One line, as the card network takes it. */
const statementText = (reason: string) => reason.replace(/\s+/g, ' ').slice(0, STATEMENT_MAXIMUM);

export const refundHandlers = (context: ConsoleContext): Pick<OperatorHandlers, 'previewRefund'> => ({
  previewRefund: async ({ operator, params, query }): Promise<RefundPreview> => {
    const { db } = context;
    const preview = await previewRefund(db, termsOf(params.id, query));
    const { cardBrand: brand, cardLast4: last4, deliveries, ...order } = orNotFound(preview.order);
    const names = await namePeople(db, [
      ...deliveries.map(({ duberId }) => duberId),
      ...(preview.ok ? preview.lines.map(({ party }) => party) : []),
    ]);
    const cents = preview.ok ? preview.amount : 0;
    return {
      amount: toDollars(cents),
      left: toDollars(order.state === 'captured' ? leftOf(order) : 0),
      lines: preview.ok ? preview.lines.map((line) => lineView(line, names)) : [],
      card: { brand, last4 },
      needsApproval:
        preview.ok &&
        (await isAboveRefundLimits(context, {
          ...{ operator, orderId: params.id, cents: preview.atStake },
          runsAlone: await runsTownAlone(db, operator, context.now()),
        })),
      problem: preview.ok ? null : sentenceOf(preview.why),
      parts: orNotFound(await findOrderParts(db, params.id)),
      dubers: deliveries.map(({ id, duberId }) => ({ deliveryId: id, name: names.get(duberId)?.name ?? '' })),
    };
  },
});

type Names = Awaited<ReturnType<typeof namePeople>>;

export const lineView = ({ account, party, amount }: LedgerLine, names: Names) => ({
  account,
  party: party === null ? null : (names.get(party) ?? { id: party, name: '', role: '' }),
  amount: toDollars(amount),
});
