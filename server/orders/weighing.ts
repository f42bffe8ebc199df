import { requestKeyOf } from '../auth/secrets.ts';
import type { Context } from '../context.ts';
import { withConnection } from '../db/database.ts';
import type { Handlers } from '../http/routes.ts';
import { answerCorrection } from './corrections.ts';
import { weighDelivery, weighOrder } from './weigh.ts';
import { readWeighing } from './weighingView.ts';

type WeighingCalls = Pick<Handlers, 'readWeighing' | 'weighOrder' | 'weighDelivery' | 'answerCorrection'>;

/** What people say about the weight of laundry, where it is weighed. */
export function weighingHandlers(context: Context): WeighingCalls {
  const { db, now } = context;
  const read = (caller: Parameters<typeof readWeighing>[1], id: string) =>
    withConnection(db, (connected) => readWeighing(connected, caller, id, now()));
  return {
    readWeighing: ({ caller, params }) => read(caller, params.id),
    weighOrder: async ({ caller, params: { id }, body, idempotencyKey }) => {
      await weighOrder(context, caller, { ...body, id, requestKey: requestKeyOf(caller.id, idempotencyKey) });
      return read(caller, id);
    },
    weighDelivery: ({ caller, params: { id }, body: { grams, fileIds }, idempotencyKey }) =>
      weighDelivery(context, caller, { id, grams, fileIds, requestKey: requestKeyOf(caller.id, idempotencyKey) }),
    answerCorrection: async ({ caller, params: { id }, body, from, idempotencyKey }) => {
      await answerCorrection(context, caller, {
        ...{ ...body, id, from, requestKey: requestKeyOf(caller.id, idempotencyKey) },
      });
      return read(caller, id);
    },
  };
}
