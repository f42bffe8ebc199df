import type { Locator } from '@playwright/test';
import { MINUTE_MS } from '../domain/durations.ts';
import { pointAt } from '../testing/testServer.ts';
import { placeOrder, type TestUser } from './accounts.ts';
import { goToPage, testWithCity as test } from './console.ts';
import { DESKTOP, expect } from './journey.ts';
import { expectNoScreenProblems } from './screenProblems.ts';

/** More than between two positions of a Duber. */
const POSITION_MS = 6_000;
/** What a move of 600 meters is at least, on a map of two kilometers. */
const MOVED_PX = 50;

async function placeAccepted(bud: TestUser, scrub: TestUser) {
  const { id, number } = await placeOrder(bud, scrub);
  await scrub.api['accept-order']({ params: { id } });
  const { deliveries } = await bud.api.readOrder({ params: { id } });
  return { number, params: { id: deliveries[0]?.id ?? '' } };
}

/** The middle of a pin. */
async function middleOf(pin: Locator) {
  const { x, y, width, height } = (await pin.boundingBox()) ?? { x: Number.NaN, y: Number.NaN, width: 0, height: 0 };
  return { x: x + width / 2, y: y + height / 2 };
}

/** Whether the middle of a pin is on the map. */
async function isOn(map: Locator, pin: Locator): Promise<boolean> {
  const [frame, { x, y }] = [await map.boundingBox(), await middleOf(pin)];
  if (!frame) return false;
  return x > frame.x && x < frame.x + frame.width && y > frame.y && y < frame.y + frame.height;
}

test('a Duber on the way moves on the map of Today, and an operator opens a delivery that waits from there', async ({
  town,
  openConsole,
  addOperator,
  measure,
}) => {
  const [bud, scrub, duber] = [
    await town.signUp('Bud', 'Mia Map', { north: 300 }),
    await town.signUp('Scrub', 'Max Map', { north: 1_500 }),
    await town.signUp('Duber', 'Moe Map', { north: 300 }),
  ];
  const [driven, waiting] = [await placeAccepted(bud, scrub), await placeAccepted(bud, scrub)];
  for (const step of ['accept-delivery', 'way-to-pickup'] as const) await duber.api[step]({ params: driven.params });
  await duber.api.sharePosition({ params: driven.params, body: pointAt(900, -300) });
  town.advanceClock(16 * MINUTE_MS);
  const ada = await addOperator('Ada Map', ['see', 'dispatch']);
  const { page } = await openConsole(ada, 'today', { ...DESKTOP, isMapless: false });
  const card = page.getByRole('region', { name: 'In the town' });
  const map = card.locator('[aria-busy="false"] canvas');
  const pinOf = ({ number }: { number: string }) => card.getByRole('img', { name: new RegExp(`^${number}, `) });

  await measure('look at the live map', async () => {
    await expect(map).toBeVisible();
    await expect(card).toContainText('1 delivery waits for a Duber, 1 is under way, 1 Scrub takes orders.');
    await expect(pinOf(driven)).toHaveAccessibleName(`${driven.number}, Way To Pick`);
    const { x } = await middleOf(pinOf(driven));
    town.advanceClock(POSITION_MS);
    await duber.api.sharePosition({ params: driven.params, body: pointAt(900, 300) });
    await expect.poll(async () => (await middleOf(pinOf(driven))).x - x).toBeGreaterThan(MOVED_PX);

    await expect(pinOf(waiting)).toHaveAccessibleName(`${waiting.number}, Pending`);
    await pinOf(waiting).click();
    await expect(page.getByRole('heading', { name: waiting.number })).toBeVisible();
    await expect(page.getByRole('region', { name: 'Now' })).toContainText('no Duber has accepted the delivery yet');
  });

  // What comes up elsewhere is on the map, too.
  await goToPage(page, 'Today');
  await expect(map).toBeVisible();
  await expectNoScreenProblems(page, 'today with a map', [320, 1280]);
  await expect(map).toBeVisible();
  const [farBud, farScrub] = [
    await town.signUp('Bud', 'Fay Far', { north: 9_000 }),
    await town.signUp('Scrub', 'Flo Far', { north: 9_300 }),
  ];
  const far = await placeAccepted(farBud, farScrub);
  await expect(card).toContainText('2 deliveries wait for a Duber, 1 is under way, 2 Scrubs take orders.');
  await expect.poll(() => isOn(map, pinOf(far))).toBe(true);
  await expect.poll(() => isOn(map, pinOf(driven))).toBe(true);
});
