import type { LoadSize } from '../../domain/orders.ts';
import type { Random } from '../../sandbox/city/random.ts';
import { type DemoOrder, type DemoReviews, DONE, deliveredBy } from './orders.ts';
import { DEMO_PEOPLE } from './people.ts';

/** How far back the orders of the demo go. */
export const HISTORY_DAYS = 56;

const namesOf = (role: string) =>
  DEMO_PEOPLE.filter((person) => person.role === role).map(({ email }) => email.split('@')[0] ?? '');
// The first of each role is whom visitors sign in as, so there is more to see for them.
const withFavourite = (names: readonly string[], extra: number) => [...Array(extra).fill(names[0] ?? ''), ...names];
const BUDS = ['bud', 'tomas', 'priya', 'bud', 'jonah', 'lucia', 'bud', 'wen'] as const;
const SCRUBS: readonly string[] = withFavourite(namesOf('Scrub'), 8);
const DUBERS: readonly string[] = withFavourite(namesOf('Duber'), 3);

const SIZES: readonly LoadSize[] = ['Small', 'Medium', 'Medium', 'Large'];
const NOTES = [
  'Cold wash, please.',
  'No softener, we have a baby at home.',
  'The shirts on hangers, if you can.',
  'Please ring twice, the bell is shy.',
  'Wool in the small bag: by hand, please.',
] as const;

type Rating = 3 | 4 | 5;
const RATINGS: readonly Rating[] = [5, 5, 5, 5, 4, 4, 4, 3];

const TO_SCRUB: Record<Rating, readonly string[]> = {
  5: [
    'Everything smells fresh and is folded like in a shop.',
    'The wine stain is gone. I had given up on it!',
    'Perfect again. See you next week.',
    'Even the socks came back in pairs.',
  ],
  4: [
    'Clean and neat. One shirt was still a little damp.',
    'Very good, a bit later than I thought.',
    'Nicely done. The towels could be softer.',
  ],
  3: ['Clean, but quite creased.', 'All right. My note about the softener was missed.'],
};
const TO_DUBER: Record<Rating, readonly string[]> = {
  5: ['Right on time and very kind.', 'Carried both bags up to the third floor!', 'Quick, careful, friendly.'],
  4: ['Friendly. Ten minutes late, but sent word.', 'All good, the street was hard to find.'],
  3: ['Arrived late, but the bag was dry and safe.'],
};
const TO_BUD: Record<Rating, readonly string[]> = {
  5: ['Sorted by colour. I wish everybody did that.', 'A clear note and a tidy bag.'],
  4: ['All fine. A full bag for a medium load!'],
  3: ['There were coins in the pockets, please check them.'],
};

const pick = <T>(random: Random, items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;

/** A usual order. Its Duber is chosen once its times are known. */
export function drawHistoryOrder(random: Random, turn: number): DemoOrder {
  const scrub = pick(random, SCRUBS);
  const base = {
    // Each in turn, as households do.
    bud: BUDS[turn % BUDS.length] ?? '',
    // The first order is of those whom visitors sign in as: they have been there for all of the eight weeks.
    scrub: turn === 0 ? (SCRUBS[0] ?? '') : scrub,
    size: pick(random, SIZES),
    ...(random() < 0.25 ? { note: pick(random, NOTES) } : {}),
  };
  const fate = random();
  if (fate < 0.06) return { ...base, steps: ['cancel-order'] };
  if (fate < 0.12) return { ...base, steps: ['reject-order'] };
  const selfDelivery = random() < 0.5;
  const selfPickup = random() < 0.45;
  return {
    ...base,
    selfDelivery,
    selfPickup,
    steps: DONE,
    ...(selfDelivery ? {} : { outboundDelivery: deliveredBy('') }),
    ...(selfPickup ? {} : { returnDelivery: deliveredBy('') }),
    reviews: drawReviews(random, !selfPickup),
  };
}

/** The Dubers to ask for a delivery, in this order. */
export function drawDubers(random: Random): readonly string[] {
  const first = Math.floor(random() * DUBERS.length);
  return [...DUBERS.slice(first), ...DUBERS.slice(0, first)];
}

function drawReviews(random: Random, isReturned: boolean): DemoReviews {
  const draw = (share: number, texts: Record<Rating, readonly string[]>) => {
    if (random() >= share) return undefined;
    const rating = pick(random, RATINGS);
    return [rating, pick(random, texts[rating])] as const;
  };
  const [toScrub, toBud, toReturnDuber] = [draw(0.7, TO_SCRUB), draw(0.2, TO_BUD), draw(0.4, TO_DUBER)];
  return {
    ...(toScrub ? { toScrub } : {}),
    ...(toBud ? { toBud } : {}),
    ...(toReturnDuber && isReturned ? { toReturnDuber } : {}),
  };
}
