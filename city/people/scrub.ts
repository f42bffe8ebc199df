import type { ListedOrder } from '../../contract/orders.ts';
import type { OrderAction } from '../../domain/orders.ts';
import { isOpenStatus, SIZE_POUNDS } from '../../domain/orders.ts';
import { asBlob, createPng } from '../../testing/photos.ts';
import { ORDER_FIELDS } from './listedFields.ts';
import { type Act, chooseAct, type Person, pick } from './person.ts';
import { rereadDashboard, rereadOrder } from './reread.ts';
import { changeDaysOff } from './scrubWeek.ts';
import { proposeTimes } from './times.ts';

const PAGE = { pageNumber: '1', pageSize: '30' };
const ORDERS = { ...PAGE, fields: ORDER_FIELDS };
const GRAMS_PER_POUND = 453.6;

/** A Scrub reads their orders and takes one of the steps that are possible now. */
export async function actAsScrub(scrub: Person): Promise<void> {
  const list = await scrub.phone.read('the list of jobs', [], (api) => api.listOrders({ query: ORDERS }));
  if (!list) return;
  const orders = list.data.items;
  for (const order of orders) scrub.knowledge.sawOrder(order);
  const acts = orders.flatMap((order) => actsOn(scrub, order));
  if (orders.some(({ times }) => times)) acts.push({ weight: 0.15, run: () => changeDaysOff(scrub) });
  await chooseAct(scrub.random, acts, 0.5);
  if (scrub.random() < 0.3) await answerClaims(scrub);
}

function actsOn(scrub: Person, order: ListedOrder): Act[] {
  if (!order.times || !isOpenStatus(order.status)) return stepsOf(scrub, order);
  return [...stepsOf(scrub, order), { weight: 0.2, run: () => proposeTimes(scrub, order) }];
}

function stepsOf(scrub: Person, order: ListedOrder): Act[] {
  const { unreliability, mischief } = scrub.traits;
  const { id, status } = order;
  const step = (action: OrderAction) => () => takeStep(scrub, order, action);
  const isHere = order.selfDelivery || order.deliveries.some(isArrived);
  if (status === 'Requested')
    return [
      { weight: 3, run: step('accept-order') },
      { weight: unreliability, run: step('reject-order') },
    ];
  // Under `open` a Scrub may start before the laundry is there, and some say so of laundry that never comes.
  if (status === 'Accepted')
    return [
      { weight: isHere ? 3 : mischief * 2, run: () => start(scrub, order) },
      { weight: isHere ? 0 : unreliability / 3, run: () => giveBack(scrub, order) },
    ];
  if (status === 'In_Progress') return [{ weight: 1.5, run: () => complete(scrub, order) }];
  if (status !== 'Completed' || order.reviews.some(({ fromUserId }) => fromUserId === scrub.id)) return [];
  return [{ weight: 0.4, run: () => reviewBud(scrub, id, order.budId) }];
}

const isArrived = ({ deliveryType, status }: ListedOrder['deliveries'][number]) =>
  deliveryType === 'Bud_To_Scrub' && status === 'Delivered';

async function takeStep(scrub: Person, { id, number }: ListedOrder, action: OrderAction): Promise<boolean> {
  const done = await scrub.phone.press(`${action} ${number}`, [id], (api, idempotencyKey) =>
    api[action]({ params: { id }, idempotencyKey }),
  );
  if (!done.ok) return false;
  scrub.knowledge.took(id, done.answer);
  await rereadOrder(scrub, id);
  if (action === 'complete-order') {
    scrub.finished += 1;
    await rereadDashboard(scrub, scrub.finished);
  }
  return true;
}

/** Starts to wash. Laundry that the Bud has brought is confirmed before, as a careful town asks. */
async function start(scrub: Person, order: ListedOrder): Promise<void> {
  if (order.selfDelivery && scrub.policy === 'careful') {
    const { id } = order;
    await scrub.phone.send(`receive the laundry of ${order.number}`, [id], (api) =>
      api.confirmReceived({ params: { id }, body: { bags: 1 } }),
    );
  }
  await takeStep(scrub, order, 'start-order');
}

async function complete(scrub: Person, order: ListedOrder): Promise<void> {
  if (scrub.policy === 'careful') await weigh(scrub, order);
  await takeStep(scrub, order, 'complete-order');
}

/** Weighs the laundry. Now and then it is more than the Bud has said. */
async function weigh(scrub: Person, { id, number, loadSize }: ListedOrder): Promise<void> {
  const weighing = await scrub.phone.read('the weight', [id], (api) => api.readWeighing({ params: { id } }));
  if (!weighing?.canWeigh) return;
  const { from, to } = SIZE_POUNDS[loadSize];
  const pounds = from + scrub.random() * (to - from) * (scrub.random() < 0.25 ? 2 : 1);
  const photo = await scrub.phone.send('send a photo of the scale', [id], (api) =>
    api.createFile({ photo: asBlob(createPng(32, 24)) }),
  );
  if (!photo.ok) return;
  const body = { grams: Math.round(pounds * GRAMS_PER_POUND), fileIds: [photo.answer.id], splits: true };
  await scrub.phone.press(`weigh ${number}`, [id], (api, idempotencyKey) =>
    api.weighOrder({ params: { id }, body, idempotencyKey }),
  );
}

async function giveBack(scrub: Person, { id, number }: ListedOrder): Promise<void> {
  const done = await scrub.phone.press(`give ${number} back`, [id], (api, idempotencyKey) =>
    api['give-back']({ params: { id }, body: { reason: 'too-busy' }, idempotencyKey }),
  );
  if (done.ok) scrub.knowledge.gaveUp(id);
}

const reviewBud = (scrub: Person, id: string, budId: string) =>
  scrub.phone.send('review a Bud', [id], (api) =>
    api.reviewToBud({ params: { id }, body: { message: 'Sorted bags and a clear note.', rating: 5, budId } }),
  );

/** Answers a claim as the Scrub or Duber who is asked. */
export async function answerClaims(worker: Person): Promise<void> {
  const list = await worker.phone.read('the cases', [], (api) => api.listCases({ query: PAGE }));
  const waiting = (list?.data.items ?? []).filter(({ waitsFor, kind }) => waitsFor === worker.role && kind === 'claim');
  const one = pick(worker.random, waiting);
  if (!one) return;
  const about = one.orderId === null ? [] : [one.orderId];
  const isGenerous = worker.random() < 0.5;
  const details = await worker.phone.read(`case ${one.no}`, about, (api) => api.readCase({ params: { id: one.id } }));
  // The screen says how much there is to give back.
  const amount = Math.min(5, details?.asked ?? 0, details?.mostToGive ?? 0);
  const body =
    isGenerous && amount > 0
      ? { offer: 'give-back' as const, amount, words: 'I am sorry, the bleach was mine.' }
      : { offer: 'was-before' as const, words: 'The stain was there before.' };
  await worker.phone.press(`answer ${one.no}: ${body.offer}`, about, (api, idempotencyKey) =>
    api.answer({ params: { id: one.id }, body, idempotencyKey }),
  );
}
