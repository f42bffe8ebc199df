import { drawReview, planScrub, type ScrubPlan } from './scrub.ts';
import { TIMES } from './times.ts';
import { isPlayedByVisitor, isSkipped, type Resident, receive, skipForAWhile, type Town, tryStep } from './town.ts';

const OPEN = JSON.stringify([{ field: 'status', operator: 'in', value: ['Requested', 'Accepted', 'In_Progress'] }]);
const FIELDS = [
  'status',
  'statusHistory.createdAt',
  'selfDelivery',
  'deliveries.deliveryType',
  'deliveries.status',
  'deliveries.duberId',
  'deliveries.statusHistory.createdAt',
] as const;

/** Reads the open orders of a Scrub and takes the step that is due. Returns in how many milliseconds to take the next turn. */
export async function takeScrubTurn(scrub: Resident, town: Town): Promise<number> {
  const pause = TIMES.poll.Scrub / town.pace;
  if (isPlayedByVisitor(town, scrub)) return pause;
  const query = { filters: OPEN, pageSize: '50', fields: FIELDS };
  const { items } = (await scrub.api.listOrders({ query })).data;
  const next = planScrub(items, town).find((plan) => !isSkipped(town, nameOf(plan)));
  if (!next) return pause;
  const wait = next.at - town.now();
  if (wait > 0) return Math.min(pause, wait);
  await tryStep(town, nameOf(next), () => act(scrub, next));
  // It changes no status: the Duber's next step does.
  if (next.act === 'receive') skipForAWhile(town, nameOf(next));
  return 0;
}

const nameOf = ({ act: step, orderId }: ScrubPlan) => `${step} ${orderId}`;

async function act(scrub: Resident, { orderId, act: step }: ScrubPlan): Promise<void> {
  if (step === 'receive') return receive(scrub, orderId);
  const { api } = scrub;
  const params = { id: orderId };
  await api[step]({ params });
  const review = step === 'complete-order' ? drawReview(orderId) : undefined;
  if (!review) return;
  const { budId } = await api.readOrder({ params });
  await api.reviewToBud({ params, body: { ...review, budId } });
}
