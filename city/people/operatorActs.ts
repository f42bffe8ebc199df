import type { Operator } from './operator.ts';
import { closingActsOf } from './operatorClosures.ts';
import { makePromo, promoActsOf } from './operatorPromos.ts';
import { chooseAct, pick } from './person.ts';
import { signInWithPasskey, staySignedIn, withFreshFactor } from './secondFactor.ts';

/** How many promo codes an operator makes before anything else. */
const FIRST_CODES = 2;

/** An operator reads Today and handles one of its rows, or makes promo codes. */
export async function actAsOperator(operator: Operator): Promise<void> {
  const { phone, random, factor, wantsPasskey, made } = operator;
  if (!(await staySignedIn(operator))) return;
  if (wantsPasskey && !factor.passkey) await signInWithPasskey(operator);
  // First of all, so that even a short day has codes.
  if (made.size < FIRST_CODES) await makePromo(operator);
  const today = await phone.read('Today', [], (api) => api.readToday());
  if (!today) return;
  const stopped = pick(random, today.stopped.items);
  const open = pick(random, today.cases.items);
  await chooseAct(
    random,
    [
      ...(stopped ? [{ weight: 3, run: () => offerAgain(operator, stopped.deliveryId) }] : []),
      ...(open ? [{ weight: 3, run: () => decideCase(operator, open.id) }] : []),
      ...promoActsOf(operator),
      ...(operator.hasWindows ? closingActsOf(operator) : []),
    ],
    0.5,
  );
}

const offerAgain = ({ phone }: Operator, id: string) =>
  phone.press('offer a delivery again', [id], (api, idempotencyKey) =>
    api['delivery-re-offer']({
      params: { id },
      body: { why: 'asked', reason: 'They have telephoned' },
      idempotencyKey,
    }),
  );

/** Gives half of what was asked for, or closes what needs no decision. */
async function decideCase(operator: Operator, id: string): Promise<void> {
  const { phone, random } = operator;
  const params = { id };
  const one = await phone.read('a case', [id], (api) => api.readTownCase({ params }));
  if (one?.status !== 'with-town') return;
  const about = one.orderId === null ? [id] : [id, one.orderId];
  const words = 'We have looked at the photos.';
  const reason = 'Seen on the photos';
  if (one.items.length === 0) {
    await phone.press(`close ${one.no}`, about, (api, idempotencyKey) =>
      api.closeCase({ params, body: { words, reason }, idempotencyKey }),
    );
    return;
  }
  const most = Math.min(one.caps.garment, one.left ?? 0, one.limit);
  const liable = pick(random, ['scrub', 'platform'] as const) ?? 'platform';
  const items = one.items.map(({ n, asked }) => {
    const amount = Math.floor((Math.min(asked / 2, most) / one.items.length) * 100) / 100;
    return { n, amount, liable };
  });
  await withFreshFactor(operator, () =>
    phone.press(`decide ${one.no}`, about, (api, idempotencyKey) =>
      api.decideCase({ params, body: { items, words, reason }, idempotencyKey }),
    ),
  );
}
