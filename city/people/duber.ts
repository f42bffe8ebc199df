import type { Client } from '../../contract/client.ts';
import type { Delivery } from '../../contract/deliveries.ts';
import type { DeliveryAction } from '../../domain/deliveries.ts';
import { isAhead, isUnderWay } from '../../domain/deliveries.ts';
import type { Step } from '../checks/knowledge.ts';
import { acceptTwo } from './forbidden.ts';
import { DELIVERY_FIELDS } from './listedFields.ts';
import { type Act, chooseAct, type Person, pick } from './person.ts';
import type { PinExchange } from './pinExchange.ts';
import { rereadDashboard, rereadDelivery } from './reread.ts';
import { answerClaims } from './scrub.ts';

const PAGE = { pageNumber: '1', pageSize: '10', fields: DELIVERY_FIELDS };

/** A Duber continues their delivery, or searches for one nearby. */
export async function actAsDuber(duber: Person, pinExchange: PinExchange): Promise<void> {
  const list = await duber.phone.read('the list of deliveries', [], (api) => api.listDeliveries({ query: PAGE }));
  if (!list) return;
  for (const delivery of list.data.items) duber.knowledge.sawDelivery(delivery);
  const active = list.data.items.filter(isUnderWay);
  const ahead = list.data.items.filter(isAhead);
  if (active.length > 1) {
    const ids = active.map(({ id }) => id);
    const which = active.map(({ id, status, window }) => `${id}, ${status}, ${window?.from ?? 'at once'}`);
    const has = `${duber.name} has ${ids.length} deliveries under way: ${which.join('; ')}`;
    duber.report('a Duber has one delivery under way', has, ids);
  }
  const [now] = active;
  const next = now ?? (duber.random() < 0.5 ? ahead[0] : undefined);
  if (next) await chooseAct(duber.random, actsOn(duber, next, pinExchange), 0.3);
  else await acceptOne(duber);
  if (duber.random() < 0.15) await answerClaims(duber);
}

async function acceptOne(duber: Person): Promise<void> {
  const query = { addressId: duber.addressId, fields: ['delivery'] as const };
  const nearby = await duber.phone.read('the deliveries nearby', [], (api) => api.findDeliveriesNearby({ query }));
  const one = pick(duber.random, nearby ?? [])?.delivery;
  if (!one) return;
  const two = nearby?.find(({ delivery }) => delivery.id !== one.id)?.delivery;
  if (two && duber.random() < duber.traits.unreliability) return acceptTwo(duber, [one, two]);
  await step(duber, one, 'accept-delivery');
}

function actsOn(duber: Person, delivery: Delivery, pinExchange: PinExchange): Act[] {
  const { unreliability } = duber.traits;
  const next = (action: DeliveryAction): Act => ({ weight: 3, run: () => step(duber, delivery, action) });
  const seldom = (run: Act['run']): Act => ({ weight: unreliability / 2, run });
  const share: Act = { weight: 1, run: () => sharePosition(duber, delivery) };
  const drop = seldom(() => giveUp(duber, delivery));
  if (delivery.status === 'Accepted') return [next('way-to-pickup'), drop];
  if (delivery.status === 'Way_To_Pick')
    return [
      share,
      drop,
      { weight: 3, run: () => collect(duber, delivery) },
      seldom(() => fail(duber, delivery, 'pickup-failed')),
    ];
  if (delivery.status === 'Collected') return [next('way-to-drop'), seldom(() => takeBack(duber, delivery))];
  if (delivery.status === 'Way_To_Drop')
    return [
      share,
      { weight: 3, run: () => deliver(duber, delivery, pinExchange) },
      seldom(() => fail(duber, delivery, 'drop-failed')),
    ];
  if (delivery.status === 'Failed')
    return [
      { weight: 2, run: () => goOn(duber, delivery, 'try-again') },
      { weight: 1, run: () => goOn(duber, delivery, 'bring-back') },
    ];
  return [{ weight: 2, run: () => bringBack(duber, delivery, pinExchange) }];
}

/** Presses a button of a delivery, keeps what it answered in mind, and looks at the delivery again. */
async function press(
  duber: Person,
  { id, orderId }: Delivery,
  what: string,
  call: (api: Client, idempotencyKey: string) => Promise<Step>,
): Promise<void> {
  const done = await duber.phone.press(what, [id, orderId], call);
  if (!done.ok) return;
  duber.knowledge.took(id, done.answer);
  await rereadDelivery(duber, id, orderId);
  if (done.answer.status !== 'Delivered') return;
  duber.finished += 1;
  await rereadDashboard(duber, duber.finished);
}

async function step(duber: Person, delivery: Delivery, action: DeliveryAction): Promise<void> {
  await press(duber, delivery, action, (api, idempotencyKey) =>
    api[action]({ params: { id: delivery.id }, idempotencyKey }),
  );
}

async function collect(duber: Person, delivery: Delivery): Promise<void> {
  if (duber.policy === 'open') return step(duber, delivery, 'collected');
  await press(duber, delivery, 'collect with the number of bags', (api, idempotencyKey) =>
    api.collectWithProof({ params: { id: delivery.id }, body: { bags: 1 }, idempotencyKey }),
  );
}

async function deliver(duber: Person, delivery: Delivery, pinExchange: PinExchange): Promise<void> {
  if (duber.policy === 'open') return step(duber, delivery, 'delivered');
  const { orderId, deliveryType } = delivery;
  const pin = await pinExchange.askForPin(deliveryType === 'Bud_To_Scrub' ? delivery.scrubId : delivery.budId, orderId);
  if (pin === undefined) return;
  await press(duber, delivery, 'deliver with the PIN', (api, idempotencyKey) =>
    api.deliverWithProof({ params: { id: delivery.id }, body: { pin, bags: 1 }, idempotencyKey }),
  );
}

async function giveUp(duber: Person, { id, orderId }: Delivery): Promise<void> {
  const done = await duber.phone.press('drop the delivery', [id, orderId], (api, idempotencyKey) =>
    api['drop-delivery']({ params: { id }, body: { reason: 'breakdown' }, idempotencyKey }),
  );
  if (done.ok) duber.knowledge.gaveUp(id);
}

/** It is not safe there: the one reason for which a Duber neither waits nor takes a photo. */
async function fail(duber: Person, delivery: Delivery, action: 'pickup-failed' | 'drop-failed'): Promise<void> {
  await press(duber, delivery, action, (api, idempotencyKey) =>
    api[action]({ params: { id: delivery.id }, body: { reason: 'unsafe' }, idempotencyKey }),
  );
}

async function goOn(duber: Person, delivery: Delivery, action: 'try-again' | 'bring-back'): Promise<void> {
  await press(duber, delivery, action, (api, idempotencyKey) =>
    api[action]({ params: { id: delivery.id }, body: {}, idempotencyKey }),
  );
}

async function bringBack(duber: Person, delivery: Delivery, pinExchange: PinExchange): Promise<void> {
  const { orderId, deliveryType } = delivery;
  const sender = deliveryType === 'Bud_To_Scrub' ? delivery.budId : delivery.scrubId;
  const pin = duber.policy === 'careful' ? await pinExchange.askForPin(sender, orderId) : undefined;
  const body = pin === undefined ? {} : { pin, bags: 1 };
  await press(duber, delivery, 'bring the laundry back', (api, idempotencyKey) =>
    api['brought-back']({ params: { id: delivery.id }, body, idempotencyKey }),
  );
}

/** Takes back a step that was pressed by mistake. */
async function takeBack(duber: Person, delivery: Delivery): Promise<void> {
  await press(duber, delivery, 'take a step back', (api, idempotencyKey) =>
    api.correct({ params: { id: delivery.id }, body: {}, idempotencyKey }),
  );
}

/** Somewhere between home and a kilometre away. */
async function sharePosition(duber: Person, { id, orderId }: Delivery): Promise<void> {
  const { latitude, longitude } = duber.place;
  const body = {
    latitude: latitude + (duber.random() - 0.5) / 100,
    longitude: longitude + (duber.random() - 0.5) / 100,
  };
  await duber.phone.send('share the position', [id, orderId], (api) => api.sharePosition({ params: { id }, body }));
}
