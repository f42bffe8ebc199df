import { expect, test } from 'vitest';
import { ROLES } from '../../domain/accounts.ts';
import { DELIVERY_TYPES } from '../../domain/deliveries.ts';
import { DEFAULT_IDENTITY } from '../../domain/identity.ts';
import type { WayHome } from '../../domain/orders.ts';
import type { DeliveryTemplateData } from './deliveryTemplateData.sql.ts';
import { deliveredTemplate, nearbyTemplate } from './deliveryTemplates.ts';
import { EXCEPTION_TEMPLATES } from './exceptionTemplates.ts';
import type { OrderTemplateData } from './templateData.sql.ts';
import { notificationMail, ORDER_TEMPLATES } from './templates.ts';

// A name from before the rules for names.
const NAME = 'Pay now at evil.example\r\nBcc: eve@evil.example \u202eadA';
const price = { loadPrice: 1250, pickup: 599, delivery: 599, platformFee: 125, taxes: 110, totalPrice: 2683 };
const order: OrderTemplateData = {
  id: 'o1',
  number: 'R-1042',
  status: 'Requested',
  budId: 'b1',
  budName: NAME,
  scrubName: NAME,
  loadSize: 'Medium',
  ceilingSize: null,
  held: 0,
  selfDelivery: true,
  selfPickup: true,
  scrubAddress: NAME,
  price,
  taxRate: 800,
  promoCode: null,
  discount: 0,
  round: 2,
  isCharged: true,
  fee: null,
  refunded: 2084,
  paidToDubers: 0,
  isWithScrub: false,
  wayHome: null,
  isGivenBack: false,
  isScrubShown: true,
  times: undefined,
  placedAt: new Date('2026-12-01T08:00:00Z'),
  lastChange: { action: 'cancel-by-operator', by: 'Operator', words: NAME },
};

const orderContents = Object.values(ORDER_TEMPLATES).flatMap((template) => [
  template(order, 'Bud'),
  template(order, 'Scrub'),
]);
const deliveryContents = DELIVERY_TYPES.flatMap((type) => {
  const names = { budName: NAME, scrubName: NAME, duberName: NAME };
  const delivery = {
    id: 'd1',
    order: 'R-1042',
    status: 'Delivered',
    type,
    ...names,
    distanceM: 900,
    price: 599,
  } as DeliveryTemplateData;
  return [deliveredTemplate(delivery, 'Bud'), deliveredTemplate(delivery, 'Scrub'), nearbyTemplate(delivery)];
});
const exceptionContents = (['relayed', 'lost', 'brought-back'] as const).flatMap((situation) =>
  ROLES.flatMap((role) => {
    const names = { budName: NAME, scrubName: NAME, duberName: NAME, waitingDuberName: NAME };
    const delivery = {
      id: 'd1',
      order: 'R-1042',
      status: 'Way_To_Drop',
      situation,
      type: 'Bud_To_Scrub',
      ...names,
      hasReaderLaundry: situation === 'relayed',
      lostBy: 'Operator',
      lastActor: 'Operator',
      lastWords: NAME,
      turns: [],
      hasFailedTwice: true,
      paid: 0,
    } as unknown as DeliveryTemplateData;
    return Object.values(EXCEPTION_TEMPLATES).map((template) => template(delivery, role));
  }),
);
const contents = [...orderContents, ...deliveryContents, ...exceptionContents];

test('no name of a person is in the subject of a mail or the title of a push', () => {
  expect(contents).toHaveLength(24 + 45);
  for (const { title } of contents) expect(title).not.toMatch(/evil|Bcc|\n/);
});

test('a name from before the rules for names stays on one line of a mail and does not turn it around', () => {
  const town = { ...DEFAULT_IDENTITY, publicUrl: 'https://rubadub.example', supportEmail: 'help@rubadub.example' };
  for (const content of contents) {
    const recipient = { fullname: NAME, unsubscribeUrl: 'https://rubadub.example/unsubscribe' };
    const mail = notificationMail(content, recipient, town);
    expect(mail.text).toContain('Hello Pay now at evil.example Bcc: eve@evil.example adA,');
    expect(mail.text).not.toMatch(/^Bcc/m);
    expect(mail.text + mail.html).not.toMatch(/[\r\u202e]/);
  }
});

test('a mail about an order that is weighed says what it costs at most', () => {
  const texts = Object.values(ORDER_TEMPLATES).map(
    (template) => template({ ...order, ceilingSize: 'Large', held: 3574 }, 'Bud').lines,
  );
  expect(texts.flat()).toContain(
    'We hold $35.74 on your card: at most that is charged, unless you agree to more. Your card is only charged once your laundry is weighed.',
  );
  const window = { from: new Date('2026-12-10T17:00:00Z'), until: new Date('2026-12-10T19:00:00Z') };
  const late = { ...order, ceilingSize: 'Large' as const, times: { pickup: window, return: window, timeZone: 'UTC' } };
  expect(ORDER_TEMPLATES.placed(late, 'Bud').lines.join(' ')).toContain('is charged for the ordered size after 6 days');
});

test('a mail begins with the number of its order', () => {
  const town = { ...DEFAULT_IDENTITY, publicUrl: 'https://rubadub.example', supportEmail: 'help@rubadub.example' };
  const recipient = { fullname: 'Ada', unsubscribeUrl: 'https://rubadub.example/unsubscribe' };
  const texts = contents.map((content) => notificationMail(content, recipient, town).text.split('\n\n'));
  // A Duber who is offered a delivery has no order yet.
  expect(texts.filter(([, first]) => first === 'Order R-1042')).toHaveLength(contents.length - DELIVERY_TYPES.length);
});

test('a Bud whose Scrub gave the order back is not promised money back that may only be held', () => {
  const [title, ...lines] = Object.values(ORDER_TEMPLATES['given-back'](order, 'Bud')).flat();
  expect(title).toMatch(/^Your Scrub cannot do your order/);
  expect(lines.join(' ')).toContain('or cancel it and pay nothing.');
  expect(lines.join(' ')).not.toContain('money back');
});

test('a Bud whose order has paid a Duber is not told that cancelling it costs nothing', () => {
  const { lines } = ORDER_TEMPLATES['given-back']({ ...order, paidToDubers: 599 }, 'Bud');
  expect(lines[0]).toContain('or cancel it and pay only for the Duber who came.');
});

test('a Scrub reads once who cancelled a job, or whose job the town cancelled', () => {
  const line = (by: 'Bud' | 'Operator', wayHome: WayHome | null = null) => {
    const lastChange = { action: 'cancel-accepted', by, words: null };
    const cancelled = { ...order, budName: 'Ada Byron', lastChange, isWithScrub: wayHome !== null, wayHome };
    return ORDER_TEMPLATES.cancelled(cancelled, 'Scrub').lines[0];
  };
  expect(line('Bud')).toBe('Ada Byron cancelled the job. There is nothing left to do.');
  expect(line('Operator')).toBe('The town cancelled the job from Ada Byron. There is nothing left to do.');
  expect(line('Operator', 'fetch')).toBe(
    'The town cancelled the job from Ada Byron. Ada Byron fetches the laundry from you: please keep it until then.',
  );
  expect(line('Operator', 'bring')).toContain('A Duber takes the laundry home: please give it to them.');
});

test('a Bud whose order the town cancelled reads how the laundry gets home', () => {
  const line = (wayHome: WayHome) =>
    ORDER_TEMPLATES.cancelled({ ...order, scrubName: 'Grace Hopper', isWithScrub: true, wayHome }, 'Bud').lines[1];
  expect(line('bring')).toBe('A Duber brings your laundry home.');
  expect(line('fetch')).toContain('Your laundry is with Grace Hopper: please fetch it there.');
  expect(line('lost')).toContain('You can claim what it was worth');
});

test('laundry that was left at the door is not said to be back', () => {
  const left = { type: 'Scrub_To_Bud', orderId: 'o1', order: 'R-1', duberName: 'Alan', budName: 'Ada', isAtDoor: true };
  const mailTo = (role: 'Bud' | 'Scrub') => deliveredTemplate(left as DeliveryTemplateData, role);
  expect(mailTo('Bud')).toMatchObject({ title: 'Your laundry stands at your door', path: '/bud/orders/o1' });
  expect(mailTo('Scrub').title).toBe('The laundry stands at its owner’s door');
  expect(deliveredTemplate({ ...left, isAtDoor: false } as DeliveryTemplateData, 'Bud').title).toBe(
    'Your laundry is back',
  );
});
