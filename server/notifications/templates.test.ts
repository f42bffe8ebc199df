import { expect, test } from 'vitest';
import { DELIVERY_TYPES } from '../../domain/deliveries.ts';
import type { DeliveryTemplateData, OrderTemplateData } from './templateData.sql.ts';
import { deliveredTemplate, nearbyTemplate, notificationMail, ORDER_TEMPLATES } from './templates.ts';

// A name from before the rules for names.
const NAME = 'Pay now at evil.example\r\nBcc: eve@evil.example \u202eadA';
const price = { loadPrice: 1250, pickup: 599, delivery: 599, platformFee: 125, taxes: 110, totalPrice: 2683 };
const order: OrderTemplateData = {
  id: 'o1',
  status: 'Requested',
  budId: 'b1',
  budName: NAME,
  scrubName: NAME,
  loadSize: 'Medium',
  selfDelivery: true,
  selfPickup: true,
  scrubAddress: NAME,
  price,
  round: 2,
  isCharged: true,
  refunded: 2084,
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
    status: 'Delivered',
    type,
    ...names,
    distanceM: 900,
    price: 599,
  } as DeliveryTemplateData;
  return [deliveredTemplate(delivery, 'Bud'), deliveredTemplate(delivery, 'Scrub'), nearbyTemplate(delivery)];
});
const contents = [...orderContents, ...deliveryContents];

test('no name of a person is in the subject of a mail or the title of a push', () => {
  expect(contents).toHaveLength(24);
  for (const { title } of contents) expect(title).not.toMatch(/evil|Bcc|\n/);
});

test('a name from before the rules for names stays on one line of a mail and does not turn it around', () => {
  const config = { publicUrl: 'https://rubadub.example', supportEmail: 'help@rubadub.example' };
  for (const content of contents) {
    const recipient = { fullname: NAME, unsubscribeUrl: 'https://rubadub.example/unsubscribe' };
    const mail = notificationMail(content, recipient, config);
    expect(mail.text).toContain('Hello Pay now at evil.example Bcc: eve@evil.example adA,');
    expect(mail.text).not.toMatch(/^Bcc/m);
    expect(mail.text + mail.html).not.toMatch(/[\r\u202e]/);
  }
});
