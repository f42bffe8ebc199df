import { v7 as newId } from 'uuid';
import { transactStep } from '../../server/db/database.ts';
import { CASE_ACTS } from '../../server/operator/cases.ts';
import { ORDER_ACTS } from '../../server/operator/order.ts';
import { type Simulation, tryAgain } from './simulation.ts';

const OPERATOR = { id: newId(), fullname: 'Olga' };
const ACTS = { ...ORDER_ACTS, ...CASE_ACTS };

/** An operator acts, in one transaction as in the console. True when it happened. */
export async function takeTownAct(
  { context }: Pick<Simulation, 'context'>,
  name: keyof typeof ACTS,
  id: string,
  body: object,
): Promise<boolean> {
  const done = await tryAgain(() => {
    const server = context();
    return transactStep(server.db, (tx) => {
      const input = { context: { ...server, db: tx }, operator: OPERATOR, isApproved: true, params: { id }, body };
      return ACTS[name].run(input as never);
    });
  });
  return done !== undefined;
}
