import type { ListedOrder } from '../../contract/orders.ts';
import { isOpenStatus, LOAD_SIZES } from '../../domain/orders.ts';
import { asBlob, createPng } from '../../testing/photos.ts';
import { ORDER_FIELDS } from './listedFields.ts';
import { type Act, chooseAct, type Person, pick } from './person.ts';
import { rereadOrder } from './reread.ts';
import { answerProposal, chooseTimes, moveOrder, REFUSED_FOR_PLACE, REFUSED_FOR_SCRUB } from './times.ts';
import { checkPlaced, typePromo } from './typePromo.ts';

/** Everybody has a card of their own: codes for first orders tell people apart by it. */
const cardOf = ({ addressId }: Person) => `cnon:own-card-${addressId}`;
const DECLINED_CARD = 'cnon:card-nonce-declined';
const MAX_OPEN_ORDERS = 3;
const PAGE = { pageNumber: '1', pageSize: '20' };
const ORDERS = { ...PAGE, fields: ORDER_FIELDS };
const REVIEWS = [
  'Everything came back fresh and folded.',
  'One sock is missing, but the rest is fine.',
  'Quick and friendly, thank you very much.',
];

/** A Bud reads their orders and takes one of the steps that are possible now. */
export async function actAsBud(bud: Person): Promise<void> {
  const list = await bud.phone.read('the list of orders', [], (api) => api.listOrders({ query: ORDERS }));
  if (!list) return;
  const orders = list.data.items;
  for (const order of orders) bud.knowledge.sawOrder(order);
  const open = orders.filter(({ status }) => isOpenStatus(status));
  const acts = orders.flatMap((order) => actsOn(bud, order));
  if (bud.clock.isEvening) {
    // What nobody has answered by now is cancelled, so that no hold is left on a card.
    for (const { id, status, number } of orders) if (status === 'Requested') await cancel(bud, id, number);
  } else if (open.length < MAX_OPEN_ORDERS) acts.push({ weight: 2 / (1 + open.length), run: () => placeAnOrder(bud) });
  await chooseAct(bud.random, acts, 1);
}

async function placeAnOrder(bud: Person): Promise<void> {
  const { random, phone, traits, addressId, knowledge } = bud;
  const chosen = await chooseTimes(bud);
  if (chosen === 'none') return bud.count(REFUSED_FOR_PLACE);
  const searched = chosen && {
    ...{ pickupFrom: chosen.pickup.from, pickupUntil: chosen.pickup.until },
    ...{ returnFrom: chosen.return.from, returnUntil: chosen.return.until },
  };
  const query = { addressId, ...searched };
  const scrubs = await phone.read('the Scrubs nearby', [], (api) => api.findScrubsNearby({ query }));
  const scrub = pick(random, scrubs ?? [])?.scrub;
  if (!scrub) return bud.count(REFUSED_FOR_SCRUB);
  const what = {
    loadSize: pick(random, LOAD_SIZES) ?? 'Medium',
    selfDelivery: random() < 0.15,
    selfPickup: random() < 0.15,
  };
  const times = chosen && { pickupFrom: chosen.pickup.from, returnFrom: chosen.return.from };
  const limit = bud.policy === 'careful' && random() < 0.5 ? { ceilingSize: 'Large' as const } : {};
  const price = await phone.read('the price', [], (api) =>
    api.calculatePrice({ body: { ...what, ...times, budAddressId: addressId } }),
  );
  if (!price) return;
  const promo = await typePromo(bud, { ...what, ...times, ...limit }, price.totalPrice);
  const total = promo?.total ?? price.totalPrice;
  if (total > traits.budget) return;
  const body = {
    ...what,
    ...times,
    ...limit,
    budAddressId: addressId,
    scrubId: scrub.id,
    // Nothing else is the same in two orders, so that one that was placed twice is found.
    orderInstructions: `${bud.name}, wish ${Math.floor(random() * 1e12)}`,
    paymentSourceId: random() < traits.declinedCards ? DECLINED_CARD : cardOf(bud),
    ...(limit.ceilingSize ? {} : { shownTotal: total }),
    ...(promo ? { promoCode: promo.code } : {}),
  };
  const placed = await phone.press('place an order', [], (api, idempotencyKey) =>
    api.placeOrder({ body, idempotencyKey }),
  );
  if (!placed.ok) {
    if (placed.code === 'windowFull' || placed.code === 'windowGone') bud.count(REFUSED_FOR_PLACE);
    if (placed.code === 'scrubFull') bud.count(REFUSED_FOR_SCRUB);
    return;
  }
  if (chosen) bud.count('orders with windows');
  knowledge.placed(placed.answer.id);
  knowledge.sawOrder(placed.answer);
  checkPlaced(bud, placed.answer, promo);
  if (promo) knowledge.usedPromo(placed.answer.id, promo);
  const isInList = await phone.read('the list of orders', [placed.answer.id], (api) =>
    api.listOrders({ query: PAGE }).then(({ data }) => data.items.some(({ id }) => id === placed.answer.id)),
  );
  if (isInList === false)
    bud.report(
      'what was answered once is there afterwards',
      `${bud.name} placed ${placed.answer.number}, and it is not in the list`,
      [placed.answer.id],
    );
}

function actsOn(bud: Person, order: ListedOrder): Act[] {
  const { unreliability, complaints } = bud.traits;
  const { id, status, number } = order;
  const acts: Act[] = [];
  const isAway = (delivery: ListedOrder['deliveries'][number]) =>
    delivery.status === 'Failed' || delivery.status === 'Returned';
  if (status === 'Requested') {
    acts.push({ weight: 0.15 + unreliability, run: () => cancel(bud, id, number) });
    if (order.exceptions.at(-1)?.action === 'give-back')
      acts.push({ weight: 4, run: () => chooseAnotherScrub(bud, order) });
  }
  if (status === 'Accepted') acts.push({ weight: unreliability / 2, run: () => cancelAccepted(bud, order) });
  for (const delivery of order.deliveries) {
    if (isAway(delivery)) acts.push({ weight: 2, run: () => offerAgain(bud, delivery.id, id) });
    if (
      delivery.status === 'Delivered' &&
      !order.reviews.some((review) => review.deliveryId === delivery.id && isOf(bud, review))
    )
      acts.push({ weight: 0.5, run: () => reviewDuber(bud, delivery, id) });
  }
  if (status === 'Completed') {
    if (!order.reviews.some((review) => review.deliveryId === null && isOf(bud, review)))
      acts.push({ weight: 0.7, run: () => reviewScrub(bud, order) });
    const isBack = order.selfPickup || order.deliveries.some(isBackHome);
    if (isBack) acts.push({ weight: complaints / 4, run: () => reportStain(bud, order) });
  }
  if (bud.policy === 'careful') acts.push({ weight: 0.8, run: () => answerWeight(bud, order) });
  if (order.times && isOpenStatus(status)) {
    acts.push({ weight: 0.3, run: () => moveOrder(bud, order) });
    acts.push({ weight: 1, run: () => answerProposal(bud, order) });
  }
  return acts;
}

const isBackHome = ({ deliveryType, status }: ListedOrder['deliveries'][number]) =>
  deliveryType === 'Scrub_To_Bud' && status === 'Delivered';
const isOf = (bud: Person, { fromUserId }: { fromUserId: string }) => fromUserId === bud.id;

async function cancel(bud: Person, id: string, number: string): Promise<void> {
  const done = await bud.phone.press(`cancel ${number}`, [id], (api, idempotencyKey) =>
    api['cancel-order']({ params: { id }, idempotencyKey }),
  );
  if (!done.ok) return;
  bud.knowledge.took(id, done.answer);
  await rereadOrder(bud, id);
}

async function cancelAccepted(bud: Person, { id, number }: ListedOrder): Promise<void> {
  const params = { id };
  const cost = await bud.phone.read('what cancelling costs', [id], (api) => api.readCancellation({ params }));
  if (!cost?.isPossible) return;
  const body = { reason: 'changed-mind', fee: cost.fee };
  const done = await bud.phone.press(`cancel ${number}, which was accepted`, [id], (api, idempotencyKey) =>
    api['cancel-accepted']({ params, body, idempotencyKey }),
  );
  if (!done.ok) return;
  bud.knowledge.took(id, done.answer);
  await rereadOrder(bud, id);
}

async function chooseAnotherScrub(bud: Person, { id, number, budAddress }: ListedOrder): Promise<void> {
  const query = { addressId: budAddress.id ?? bud.addressId };
  const scrubs = await bud.phone.read('the Scrubs nearby', [id], (api) => api.findScrubsNearby({ query }));
  const scrubId = pick(bud.random, scrubs ?? [])?.scrub.id;
  if (scrubId === undefined) return;
  await bud.phone.press(`choose another Scrub for ${number}`, [id], (api, idempotencyKey) =>
    api['choose-scrub']({ params: { id }, body: { scrubId }, idempotencyKey }),
  );
}

const offerAgain = (bud: Person, id: string, orderId: string) =>
  bud.phone.press('offer a delivery again', [id, orderId], (api, idempotencyKey) =>
    api['re-offer']({ params: { id }, body: {}, idempotencyKey }),
  );

const reviewOf = (bud: Person) => ({
  message: pick(bud.random, REVIEWS) ?? REVIEWS[0] ?? '',
  rating: 1 + Math.floor(bud.random() ** 0.4 * 5),
});

const reviewScrub = (bud: Person, { id, scrubId, number }: ListedOrder) =>
  bud.phone.send(`review the Scrub of ${number}`, [id], (api) =>
    api.reviewToScrub({ params: { id }, body: { ...reviewOf(bud), scrubId } }),
  );

async function reviewDuber(bud: Person, { id, duberId }: ListedOrder['deliveries'][number], orderId: string) {
  if (duberId === null) return;
  await bud.phone.send('review a Duber', [id, orderId], (api) =>
    api.reviewToDuber({ params: { id }, body: { ...reviewOf(bud), duberId } }),
  );
}

/** Claims money for a shirt, with a photo. Some of the stains are true. */
async function reportStain(bud: Person, { id, number, price }: ListedOrder): Promise<void> {
  const photo = asBlob(createPng(32, 24));
  const file = await bud.phone.send('send a photo', [id], (api) => api.createFile({ photo }));
  if (!file.ok) return;
  const worth = 10 + Math.floor(bud.random() * 60);
  const asked = Math.min(worth, Math.floor(price.totalPrice / 2));
  const items = [{ what: 'Blue shirt', kind: 'stained' as const, worth, ageMonths: 2, asked }];
  const body = {
    kind: 'claim' as const,
    orderId: id,
    items,
    words: 'A stain on the sleeve.',
    fileIds: [file.answer.id],
  };
  await bud.phone.press(`report a stain on ${number}`, [id], (api, idempotencyKey) =>
    api.createCase({ body, idempotencyKey }),
  );
}

/** Answers when the laundry is heavier than what was ordered. */
async function answerWeight(bud: Person, { id, number }: ListedOrder): Promise<void> {
  const params = { id };
  const weighing = await bud.phone.read('the weight', [id], (api) => api.readWeighing({ params }));
  const chosen = pick(bud.random, weighing?.correction?.answers ?? []);
  if (!chosen || chosen.answer === 'contest') return;
  const card = chosen.answer === 'pay' ? { paymentSourceId: cardOf(bud) } : {};
  await bud.phone.press(`answer the weight of ${number}: ${chosen.answer}`, [id], (api, idempotencyKey) =>
    api.answerCorrection({ params, body: { ...chosen, ...card }, idempotencyKey }),
  );
}

/** Answers what a Scrub or a Duber has offered in a case. */
export async function answerOffers(bud: Person): Promise<void> {
  const list = await bud.phone.read('the cases', [], (api) => api.listCases({ query: PAGE }));
  const waiting = (list?.data.items ?? []).filter(({ waitsFor }) => waitsFor === 'Bud');
  const one = pick(bud.random, waiting);
  if (!one) return;
  const params = { id: one.id };
  const about = one.orderId === null ? [] : [one.orderId];
  if (bud.random() < 0.6)
    await bud.phone.press(`accept the offer of ${one.no}`, about, (api, idempotencyKey) =>
      api['accept-offer']({ params, body: {}, idempotencyKey }),
    );
  else
    await bud.phone.press(`refuse the offer of ${one.no}`, about, (api, idempotencyKey) =>
      api['refuse-offer']({ params, body: { words: 'It cost twice as much.' }, idempotencyKey }),
    );
}
