import { expect, test } from 'vitest';
import { DEFAULT_IDENTITY } from '../../domain/identity.ts';
import { operatorSignInMail } from './accountMails.ts';
import type { DeliveryTemplateData } from './deliveryTemplateData.sql.ts';
import { deliveredTemplate, nearbyTemplate } from './deliveryTemplates.ts';
import { EXCEPTION_TEMPLATES } from './exceptionTemplates.ts';
import { moneyTemplate } from './moneyTemplate.ts';
import type { MoneyTemplateData, OrderTemplateData, WeighingTemplateData } from './templateData.sql.ts';
import { ORDER_TEMPLATES } from './templates.ts';
import { weighAnsweredTemplate, weighedTemplate } from './weighingTemplates.ts';
import type { WindowTemplateData } from './windowTemplateData.sql.ts';
import { movedTemplate, proposedTemplate } from './windowTemplates.ts';

// What a sentence depends on: who reads it, who has the laundry, and what has happened since.

const DELIVERY = {
  id: 'd1',
  orderId: 'o1',
  order: 'R-1042',
  type: 'Bud_To_Scrub',
  status: 'Delivered',
  orderStatus: 'Accepted',
  budName: 'Ada Byron',
  scrubName: 'Grace Hopper',
  duberName: 'Alan Turing',
  situation: 'delivered',
  isAtDoor: false,
  selfPickup: false,
  mustWeigh: false,
  isReClean: false,
  hasReaderReviewed: false,
  isReaderHeld: false,
  distanceM: 900,
  price: 599,
  turns: [],
} as unknown as DeliveryTemplateData;

const delivered = (role: 'Bud' | 'Scrub', more: Partial<DeliveryTemplateData>) =>
  deliveredTemplate({ ...DELIVERY, ...more }, role).lines.join(' ');

test('a Bud who fetches their laundry is not promised a notice that nobody sends', () => {
  expect(delivered('Bud', {})).toContain('We will let you know when it is back with you.');
  expect(delivered('Bud', { selfPickup: true })).toContain('Then you fetch it from Grace Hopper.');
});

test('a Scrub whom laundry has reached reads what they do with it', () => {
  expect(delivered('Scrub', {})).toContain('You can start the job now.');
  expect(delivered('Scrub', { mustWeigh: true })).toContain('Weigh it first.');
  expect(delivered('Scrub', { isReClean: true, orderStatus: 'In_Progress' })).toContain('Please clean it again');
  expect(delivered('Scrub', { orderStatus: 'In_Progress' })).not.toContain('start the job');
});

test('laundry of a cancelled order comes back without a question how it was done, and nobody is asked twice', () => {
  const back = { type: 'Scrub_To_Bud' } as const;
  expect(delivered('Bud', { ...back, orderStatus: 'Completed' })).toContain('How was it?');
  expect(delivered('Bud', { ...back, orderStatus: 'Cancelled' })).toContain('please email us');
  expect(delivered('Bud', { ...back, orderStatus: 'Completed', hasReaderReviewed: true })).not.toContain('review');
  expect(delivered('Scrub', { ...back, hasReaderReviewed: true })).not.toContain('review');
});

test('a Duber who is offered relayed laundry reads that it waits with another Duber', () => {
  expect(nearbyTemplate(DELIVERY).lines[0]).toBe('Ada Byron to Grace Hopper, 0.90 km. The first to accept it gets it.');
  expect(nearbyTemplate({ ...DELIVERY, situation: 'relayed' }).lines[0]).toBe(
    'From another Duber, who waits with the laundry, to Grace Hopper, 0.90 km. The first to accept it gets it.',
  );
});

test('a Bud whose Duber is silent is not told that nothing changes, and a Duber who may not work gets no advice to', () => {
  const silent = { ...DELIVERY, status: 'Pending', lastLoss: 'silent' } as DeliveryTemplateData;
  const toBud = EXCEPTION_TEMPLATES.dropped(silent, 'Bud');
  expect([toBud.title, ...toBud.lines]).toEqual([
    'Another Duber is to come',
    'We have not heard from your Duber: we have asked the others nearby.',
    'Please keep your laundry until the next one comes. You pay nothing more, but it may take longer.',
  ]);
  const toDuber = (isReaderHeld: boolean) => EXCEPTION_TEMPLATES.dropped({ ...silent, isReaderHeld }, 'Duber').lines;
  expect(toDuber(false)[0]).toContain('We did not hear from you for 20 minutes');
  expect(toDuber(false)[1]).toBe('You can take on another one at once.');
  expect(toDuber(true)[1]).toContain('You cannot take on another one for now');
});

test('laundry that is brought back comes to somebody, who reads “you”', () => {
  const line = (situation: 'way-back' | 'brought-back', role: 'Bud' | 'Scrub') =>
    EXCEPTION_TEMPLATES['failed-drop']({ ...DELIVERY, situation }, role).lines[0];
  expect(line('brought-back', 'Bud')).toBe('Alan Turing brought your laundry back to you.');
  expect(line('brought-back', 'Scrub')).toBe('Alan Turing brought Ada Byron’s laundry back to Ada Byron.');
  expect(line('way-back', 'Bud')).toBe('Alan Turing could not deliver your laundry, and brings it back to you.');
});

const ORDER = {
  id: 'o1',
  number: 'R-1042',
  status: 'Requested',
  budName: 'Ada Byron',
  scrubName: 'Grace Hopper',
  loadSize: 'Medium',
  ceilingSize: null,
  placedAt: new Date('2026-12-01T08:00:00Z'),
  held: 0,
  round: 1,
  price: { loadPrice: 1250, pickup: 599, delivery: 599, platformFee: 125, taxes: 110, totalPrice: 2683 },
  taxRate: null,
  promoCode: null,
  discount: 0,
  isCharged: false,
  fee: null,
  refunded: 0,
  isScrubShown: true,
} as unknown as OrderTemplateData;

test('a receipt or a job that is sent after the answer does not ask for one', () => {
  const receipt = (status: OrderTemplateData['status']) => ORDER_TEMPLATES.placed({ ...ORDER, status }, 'Bud').lines[0];
  expect(receipt('Requested')).toBe('Grace Hopper answers within 24 hours.');
  expect(receipt('Accepted')).toBe('Grace Hopper has accepted it.');
  const job = (status: OrderTemplateData['status']) => ORDER_TEMPLATES.placed({ ...ORDER, status }, 'Scrub').lines[1];
  expect(job('Requested')).toContain('Accept or reject it within 24 hours.');
  expect(job('Accepted')).toContain('You have accepted it.');
});

test('mails about an order with windows say when somebody comes, and until when the Scrub answers', () => {
  const span = (day: number) => ({
    from: new Date(Date.UTC(2026, 11, day, 17)),
    until: new Date(Date.UTC(2026, 11, day, 19)),
  });
  const timed = { ...ORDER, times: { pickup: span(4), return: span(5), timeZone: 'UTC' } };
  const linesOf = (kind: 'placed' | 'accepted' | 'expired', role: 'Bud' | 'Scrub', order: object = {}) =>
    ORDER_TEMPLATES[kind]({ ...timed, ...order }, role)
      .lines.join(' ')
      .replaceAll('\u00a0', ' ');
  const when = 'Pickup Fri, Dec 4, 5–7 pm. Back Sat, Dec 5, 5–7 pm.';
  expect(linesOf('placed', 'Bud')).toContain(`answers within 24 hours and before the pickup. ${when}`);
  expect(linesOf('placed', 'Scrub')).toContain('Accept or reject it within 24 hours and before the pickup.');
  expect(ORDER_TEMPLATES.placed(timed, 'Scrub').details?.[0]?.[0]).toBe('Pickup');
  expect(linesOf('accepted', 'Bud', { status: 'Accepted' })).toContain(`at the agreed time. ${when}`);
  const brought = { selfDelivery: true, selfPickup: true };
  expect(linesOf('placed', 'Bud', brought)).toContain('Drop-off Fri, Dec 4, 5–7 pm. Ready Sat, Dec 5, 5–7 pm.');
  expect(linesOf('expired', 'Bud')).toContain('did not answer in time');
});

test('who asks for another time decides what holds until the answer, and after a no', () => {
  const span = { from: new Date('2026-12-04T17:00:00Z'), until: new Date('2026-12-04T19:00:00Z') };
  const order = (by: 'Scrub' | 'Operator', answer: 'no' | null) =>
    ({
      ...{ id: 'o1', number: 'R-1042', budName: 'Ada Byron', scrubName: 'Grace Hopper', timeZone: 'UTC' },
      ...{ pickup: span, return: span, selfDelivery: false, selfPickup: false, lastMove: 'refuse-window' },
      proposal: { id: 'p1', by, answer, reason: 'ill', words: 'A storm comes.', pickup: span, return: span },
    }) as unknown as WindowTemplateData;
  const bothRead = (by: 'Scrub' | 'Operator') =>
    [proposedTemplate(order(by, null)), movedTemplate(order(by, 'no'))].map((text) =>
      'lines' in text ? text.lines.join(' ') : text.dropped,
    );
  const [asked, refused] = bothRead('Scrub');
  expect(asked).toContain('Grace Hopper says: I am not well. Until you answer, the agreed time stays.');
  expect(refused).toContain('Ada Byron cannot at the other time: the agreed one stays.');
  const [askedByTown, refusedByTown] = bothRead('Operator');
  expect(askedByTown).toContain('The town says: A storm comes. Nobody comes at the agreed time.');
  expect(refusedByTown).toContain('The town looks for another one: you do not have to do anything.');
});

test('a Scrub whom nobody finds is not told to turn Visibility off', () => {
  const line = (isScrubShown: boolean) => ORDER_TEMPLATES.expired({ ...ORDER, isScrubShown }, 'Scrub').lines[1];
  expect(line(true)).toContain('Turn Visibility off');
  expect(line(false)).toBe('Buds do not find you now, so nobody new waits for you.');
});

const CHARGED = {
  kind: 'captured',
  cardCents: -2083,
  order: 'R-1042',
  orderId: 'o1',
  loadSize: 'Medium',
  orderStatus: 'In_Progress',
  isWeighed: true,
  correction: null,
} as unknown as MoneyTemplateData;

test('the notice of a charge names the wash only when there was one', () => {
  const line = (more: Partial<MoneyTemplateData>) => moneyTemplate({ ...CHARGED, ...more }, 'Bud').lines[0];
  expect(line({})).toContain('now that the laundry is weighed: Medium');
  expect(line({ isWeighed: false })).toContain('Nobody has weighed the laundry in time');
  expect(line({ correction: 'sent-back' })).toContain('without the washing');
  expect(line({ correction: 'kept' })).toContain('The rest comes back unwashed.');
  expect(line({ orderStatus: 'Cancelled' })).toContain('That is what its Dubers cost');
});

test('laundry that its Bud fetches is not sent back', () => {
  const order = {
    id: 'o1',
    state: 'asked',
    grams: 4000,
    size: 'Medium',
    ceilingSize: 'Medium',
    toSize: null,
    toCents: null,
    splits: false,
    budName: 'Ada Byron',
    scrubName: 'Grace Hopper',
    totalPrice: 0,
    discount: 0,
    selfDelivery: true,
    selfPickup: true,
  } as unknown as WeighingTemplateData;
  const lines = (content: object) => ('lines' in content ? (content.lines as string[]).join(' ') : '');
  expect(lines(weighedTemplate(order))).toContain('After 2 hours you fetch it unwashed, and you pay nothing.');
  const sentBack = { ...order, state: 'sent-back' } as WeighingTemplateData;
  expect(lines(weighAnsweredTemplate(sentBack, 'Bud'))).toContain('please fetch it from Grace Hopper');
  expect(lines(weighAnsweredTemplate(sentBack, 'Scrub'))).toContain('Complete the job, and they fetch it.');
});

test('an operator whom a new sign-in frightens is sent to somebody who exists', () => {
  const place = { at: new Date('2026-11-29T12:00:00Z'), browser: 'Firefox on Linux', network: '203.0.x.x' };
  const town = { ...DEFAULT_IDENTITY, publicUrl: 'https://rubadub.example', supportEmail: 'help@rubadub.example' };
  const text = (hasOthers: boolean) => operatorSignInMail('Ada', { ...place, hasOthers }, town).text;
  expect(text(true)).toContain('ask another operator to end the account or to reset it.');
  expect(text(false)).toContain('ask who runs the server to reset it.');
});
