import type { ProposalOfMail } from '../../contract/proposals.ts';
import type { Calendar } from '../../contract/weeks.ts';
import type { WindowOffers } from '../../contract/windows.ts';
import { addDays, localDate } from '../../domain/localDays.ts';
import { windowAt } from '../../testing/orderTimes.ts';
import { takeScreenshots, test } from './screenshots.ts';
import { heading, screenshotLoadingAndFailed, text } from './states.ts';

const NOW = new Date();
const span = (days: number, hour: 8 | 17 = 17) => {
  const { from, until } = windowAt(NOW, days, hour);
  return { from: from.toISOString(), until: until.toISOString() };
};

const NEVER_SET = { hours: [], poundsADay: null, ordersADay: null, sizes: null, noticeHours: 0 };
const DAYS: Calendar['days'] = Array.from({ length: 14 }, (_, n) => ({
  ...{ day: addDays(localDate(NOW, 'UTC'), n), isOff: false, orders: 0, pounds: 0, jobs: [] },
}));
const EMPTY: Calendar = { timeZone: 'UTC', week: NEVER_SET, daysOff: [], hasFeed: false, days: DAYS };

const job = (number: number, kind: 'pickup' | 'return' | 'soon', bud: string, days = 0) => ({
  ...{ orderId: `0192f0c1-7a3b-7c4d-8e5f-0123456789${number}`, number: `R-10${number}`, kind, bud },
  ...{ loadSize: 'Medium' as const, ...(kind === 'soon' ? {} : { window: span(days, kind === 'pickup' ? 8 : 17) }) },
});
/** A day on which nothing more can be taken, and one half full. */
const BUSY = new Map([
  [0, { orders: 2, pounds: 14, jobs: [job(41, 'soon', 'Ada'), job(42, 'pickup', 'Mina')] }],
  [1, { orders: 5, pounds: 40, jobs: [job(43, 'pickup', 'Anneliese', 1), job(42, 'return', 'Mina', 1)] }],
]);
const FULL: Calendar = {
  ...{ timeZone: 'UTC', daysOff: [], hasFeed: true },
  week: { ...NEVER_SET, poundsADay: 40, hours: [{ weekday: 'Monday', from: '09:00', until: '20:00' }] },
  days: DAYS.map((day, n) => ({ ...day, ...BUSY.get(n) })),
};
const AWAY: Calendar = {
  ...FULL,
  daysOff: [{ id: '0192f0c1-7a3b-7c4d-8e5f-0123456789ab', from: DAYS[2]?.day ?? '', until: DAYS[4]?.day ?? '' }],
  days: FULL.days.map((day, n) => ({ ...day, isOff: n >= 2 && n <= 4 })),
};

test('the week of a Scrub', async ({ signIn }) => {
  const scrub = await signIn('scrub@rubadub.test');
  await screenshotLoadingAndFailed(scrub, { name: 'scrub week', path: '/scrub/week', ready: heading(/^Today/) });
  for (const [state, json] of Object.entries({ empty: EMPTY, full: FULL, 'days off': AWAY })) {
    const page = await scrub.newPage();
    await page.route('**/api/scrub/calendar', (route) => route.fulfill({ json }));
    await page.goto('/#/scrub/week');
    await heading(/^Today/)(page).waitFor();
    await takeScreenshots(page, 'scrub week', state);
    for (const fold of ['When you work, and how much', 'Away from … to …', 'In your own calendar'])
      await page.getByText(fold).click();
    await takeScreenshots(page, 'scrub week', `${state}, everything open`);
    await page.close();
  }
});

const ASKED: ProposalOfMail = {
  ...{ by: 'Scrub', reason: 'machine-broken', words: null, pickup: span(4), return: span(5) },
  ...{ order: 'R-1042', scrubName: 'Pia Proposes', timeZone: 'UTC', answer: null },
  agreed: { pickup: span(2), return: span(3) },
};
const BY_TOWN = { by: 'Operator', reason: 'other', words: 'A storm comes.' } as const;

test('the page behind the link of a mail that proposes another time', async ({ openSignedOutPage }) => {
  const answers: Readonly<Record<string, ProposalOfMail>> = {
    'a Scrub asks': ASKED,
    'the town asks': { ...ASKED, ...BY_TOWN },
    accepted: { ...ASKED, answer: 'yes' },
    'the agreed time stays': { ...ASKED, answer: 'no' },
    'the time of the town is refused': { ...ASKED, ...BY_TOWN, answer: 'no' },
    withdrawn: { ...ASKED, answer: 'withdrawn' },
    expired: { ...ASKED, answer: 'expired' },
  };
  for (const [state, json] of Object.entries(answers)) {
    const page = await openSignedOutPage();
    await page.route('**/api/proposals?*', (route) => route.fulfill({ json }));
    await page.goto('/#/other-time?token=t');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await takeScreenshots(page, 'other time', state);
    await page.close();
  }
  const page = await openSignedOutPage();
  await page.goto('/#/other-time?token=t');
  await page.getByRole('heading', { name: 'Invalid Link' }).waitFor();
  await takeScreenshots(page, 'other time', 'invalid link');
  await page.close();
});

const OFFERS: WindowOffers = {
  ...{ timeZone: 'UTC', fastest: 'next-day', costsMore: { 'next-day': 20 } },
  pickup: Array.from({ length: 10 }, (_, n) => ({ ...span(n + 1), left: n === 0 ? 'few' : 'many' })),
  return: Array.from({ length: 12 }, (_, n) => ({ ...span(n + 2), left: 'many' })),
};

test('choosing a time', async ({ signIn }) => {
  const bud = await signIn('bud@rubadub.test');
  const page = await bud.newPage();
  await page.route('**/api/windows?*', (route) => route.fulfill({ json: OFFERS }));
  await page.goto('/#/bud/place-order');
  await page.getByRole('radio').first().check();
  await page.getByRole('radio', { name: 'At a time I choose' }).check();
  await takeScreenshots(page, 'place order', '1 a time');
  await page.unrouteAll();
  await page.route('**/api/windows?*', (route) => route.abort());
  await page.reload();
  await text('did not load')(page).waitFor();
  await takeScreenshots(page, 'place order', '1 a time, failed');
  await page.close();
});
