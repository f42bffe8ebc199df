import type { ListedOrder } from '../../contract/orders.ts';
import type { OtherWindows } from '../../contract/proposals.ts';
import type { TimeWindow } from '../../contract/windows.ts';
import { canReturn, type OrderWindows } from '../../domain/windows.ts';
import { type Person, pick } from './person.ts';

/** How Buds choose times for their laundry, and how people change them. */

/** Why somebody could not order, as the report counts it. */
export const REFUSED_FOR_PLACE = 'orders refused for lack of a place';
export const REFUSED_FOR_SCRUB = 'orders refused for lack of a Scrub';
/** The choosiest people look so many windows ahead. */
const LOOKS_AHEAD = 8;

const spanOf = ({ from, until }: TimeWindow) => ({ from: new Date(from), until: new Date(until) });

/** The windows of `offers` in which the laundry of a pickup can be back. */
function returnsAfter(pickup: TimeWindow, offers: OtherWindows): readonly TimeWindow[] {
  const windowsOf = (back: TimeWindow): OrderWindows => ({ pickup: spanOf(pickup), return: spanOf(back) });
  return offers.return.filter((back) => canReturn(windowsOf(back), offers, offers.timeZone));
}

const isDaysLater = (pickup: TimeWindow) => (back: TimeWindow) =>
  Date.parse(back.from.slice(0, 10)) - Date.parse(pickup.from.slice(0, 10)) > 24 * 60 * 60_000;

/** The two windows of a pick. Somebody patient has the laundry back later, for nothing more. */
function choosePair({ random, traits }: Person, offers: OtherWindows) {
  const pickup = offers.pickup[Math.floor(random() * traits.patience * LOOKS_AHEAD)] ?? offers.pickup[0];
  if (!pickup) return undefined;
  const returns = returnsAfter(pickup, offers);
  const later = random() < traits.patience ? returns.find(isDaysLater(pickup)) : undefined;
  const back = later ?? pick(random, returns.slice(0, 3));
  return back && { pickup, return: back };
}

export type ChosenTimes = { readonly pickup: TimeWindow; readonly return: TimeWindow };

/** The windows that a Bud orders for; undefined for as soon as possible, and 'none' where they want a time, and there is no place. */
export async function chooseTimes(bud: Person): Promise<ChosenTimes | 'none' | undefined> {
  if (bud.random() >= bud.traits.plans) return undefined;
  const offers = await bud.phone.read('the windows', [], (api) =>
    api.listWindows({ query: { budAddressId: bud.addressId } }),
  );
  if (!offers || offers.pickup.length === 0) return undefined;
  const isFree = ({ left }: { readonly left: string }) => left !== 'none';
  const { timeZone, fastest } = offers;
  const free = { timeZone, fastest, pickup: offers.pickup.filter(isFree), return: offers.return.filter(isFree) };
  return choosePair(bud, free) ?? 'none';
}

/** Other windows for an order, among those that its person can have. */
async function chooseOthers(person: Person, { id, times }: ListedOrder) {
  if (!times) return undefined;
  const offers = await person.phone.read('the other windows', [id], (api) => api.readOtherWindows({ params: { id } }));
  if (!offers) return undefined;
  const { from } = pick(person.random, offers.pickup.slice(0, LOOKS_AHEAD)) ?? times.pickup;
  const pickup = [...offers.pickup, times.pickup].find((window) => window.from === from) ?? times.pickup;
  const back = pick(person.random, returnsAfter(pickup, offers).slice(0, LOOKS_AHEAD));
  const isOther = back && (pickup.from !== times.pickup.from || back.from !== times.return.from);
  return isOther ? { pickup, return: back } : undefined;
}

const bodyFor = ({ times }: ListedOrder, wanted: ChosenTimes) => ({
  ...(wanted.pickup.from === times?.pickup.from ? {} : { pickupFrom: wanted.pickup.from }),
  returnFrom: wanted.return.from,
});

/** A Bud moves an order. Its page must say so right away. */
export async function moveOrder(bud: Person, order: ListedOrder): Promise<void> {
  const { id, number } = order;
  const wanted = await chooseOthers(bud, order);
  if (!wanted) return;
  const body = bodyFor(order, wanted);
  const done = await bud.phone.press(`move ${number} to ${JSON.stringify(body)}`, [id], (api, idempotencyKey) =>
    api['move-window']({ params: { id }, body, idempotencyKey }),
  );
  if (!done.ok) return bud.count(`moves refused: ${done.code}`);
  bud.count('orders moved by their Buds');
  await expectTimes(bud, order, wanted);
}

async function expectTimes(bud: Person, { id, number }: ListedOrder, { pickup, return: back }: ChosenTimes) {
  const order = await bud.phone.read('the order again', [id], (api) => api.readOrder({ params: { id } }));
  if (!order) return;
  bud.knowledge.sawOrder(order);
  const { times } = order;
  if (times?.pickup.from === pickup.from && times.return.from === back.from && times.promisedAt === back.until) return;
  const words = `${bud.name} moved ${number} to ${pickup.from} and ${back.from}, and then read ${JSON.stringify(times)}`;
  bud.report('what was answered once is there afterwards', words, [id]);
}

/** A Scrub asks whether another time suits the Bud. */
export async function proposeTimes(scrub: Person, order: ListedOrder): Promise<void> {
  const { id, number } = order;
  const wanted = await chooseOthers(scrub, order);
  if (!wanted) return;
  const body = { ...bodyFor(order, wanted), reason: 'too-busy', words: 'My dryer is at the repair shop.' };
  const done = await scrub.phone.press(`propose another time for ${number}`, [id], (api, idempotencyKey) =>
    api['propose-window']({ params: { id }, body, idempotencyKey }),
  );
  if (done.ok) scrub.count('times proposed by Scrubs');
}

const LINK = /other-time\?token=(\S+)/;

/** A Bud answers another time that somebody proposes: in the app, or with the link of its mail. */
export async function answerProposal(bud: Person, { id, number }: ListedOrder): Promise<void> {
  const order = await bud.phone.read('the order', [id], (api) => api.readOrder({ params: { id } }));
  if (!order) return;
  bud.knowledge.sawOrder(order);
  const { proposal } = order;
  if (!proposal) return;
  const isYes = bud.random() < 0.7;
  const wanted = { pickup: proposal.pickup ?? order.times?.pickup ?? proposal.return, return: proposal.return };
  const how = bud.random() < 0.5 ? await answerByMail(bud, number, isYes) : undefined;
  const isDone = how ?? (await answerInApp(bud, order, isYes));
  if (!isDone) return;
  bud.count(`proposals answered with ${isYes ? 'yes' : 'no'}${how ? ', by mail' : ''}`);
  if (isYes) await expectTimes(bud, order, wanted);
}

async function answerInApp(
  bud: Person,
  { id, number, proposal }: { id: string; number: string; proposal?: { readonly id: string } | undefined },
  isYes: boolean,
): Promise<boolean> {
  const action = isYes ? 'accept-window' : 'refuse-window';
  const body = { proposalId: proposal?.id };
  const done = await bud.phone.press(`${action} of ${number}`, [id], (api, idempotencyKey) =>
    api[action]({ params: { id }, body, idempotencyKey }),
  );
  return done.ok;
}

/** Undefined when the mail is not there yet, or asks about an earlier time. */
async function answerByMail(bud: Person, number: string, isYes: boolean): Promise<boolean | undefined> {
  const mails = await bud.readMails();
  const token = mails
    .filter(({ text }) => text.includes(number))
    .map(({ text }) => LINK.exec(text)?.[1])
    .find((found) => found !== undefined);
  if (token === undefined) return undefined;
  const asked = await bud.phone.read('the proposal of a mail', [], (api) => api.readProposal({ query: { token } }));
  if (!asked || asked.answer !== null) return undefined;
  const answer = isYes ? 'yes' : 'no';
  const done = await bud.phone.send(`answer ${answer} to the mail about ${number}`, [], (api) =>
    api.answerProposal({ body: { token, answer } }),
  );
  if (done.ok && done.answer.answer !== answer) {
    const words = `${bud.name} answered ${answer} for ${number}, and it says ${done.answer.answer}`;
    bud.report('what was answered once is there afterwards', words, []);
  }
  return done.ok;
}
