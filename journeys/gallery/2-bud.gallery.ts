import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { ORDER_STATUSES } from '../../domain/orders.ts';
import { createTestUser, placeOrder } from '../accounts.ts';
import { fillCard } from '../screens/orders.ts';
import { type GalleryUser, takeScreenshots, test } from './screenshots.ts';
import {
  failRequests,
  firstRow,
  heading,
  mapCanvas,
  restoreRequests,
  screenshotAllStates,
  screenshotLoadingAndFailed,
  screenshotState,
  stallRequests,
  text,
} from './states.ts';

const BUD = 'bud@rubadub.test';
const REMOTE_LOCATION = { latitude: 24.3, longitude: 67.3 };
const ANY_RADIO = { name: /\w/ };

test('dashboard and lists', async ({ signIn }) => {
  const bud = await signIn(BUD);
  await screenshotAllStates(bud, { name: 'bud dashboard', path: '/bud/dashboard', ready: firstRow });
  await screenshotAllStates(bud, { name: 'bud orders', path: '/bud/orders', ready: firstRow });
  await screenshotAllStates(bud, { name: 'bud deliveries', path: '/bud/deliveries', ready: firstRow });
});

test('empty lists, and no Scrub nearby', async ({ server, signIn }) => {
  const at = { latitude: 24.09, longitude: 67.06 };
  const { email } = await createTestUser(server, { role: 'Bud', fullname: 'Nova Bud', at });
  const bud = await signIn(email);
  const none = text('No orders yet. Place your first order!');
  await screenshotState(bud, { name: 'bud dashboard', path: '/bud/dashboard', ready: none }, 'empty');
  await screenshotState(bud, { name: 'bud orders', path: '/bud/orders', ready: none }, 'empty');
  await screenshotState(
    bud,
    { name: 'bud deliveries', path: '/bud/deliveries', ready: text('No deliveries yet.') },
    'empty',
  );
  const filtered = text(/^No .+ orders found\.$/);
  await screenshotState(
    bud,
    { name: 'bud orders', path: '/bud/orders?status=Rejected', ready: filtered },
    'none of a status',
  );
  const page = await bud.newPage();
  await page.goto('/#/bud/place-order');
  await page.getByRole('radio', ANY_RADIO).first().check();
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByText('Sorry, no scrubs available at this time').waitFor();
  await takeScreenshots(page, 'place order', '2 scrub, nobody near');
});

test('an order in each status', async ({ signIn }) => {
  const bud = await signIn(BUD);
  const { items } = (await bud.api.listOrders({ query: { pageSize: '100' } })).data;
  for (const status of ORDER_STATUSES) {
    const id = items.find((order) => order.status === status)?.id;
    if (id === undefined) continue;
    const ready =
      status === 'Cancelled' || status === 'Rejected' || status === 'Completed' ? heading('Order Status') : mapCanvas;
    await screenshotState(bud, { name: 'bud order', path: `/bud/orders/${id}`, ready }, status);
  }
  const ended = items.find((order) => order.status === 'Completed')?.id ?? '';
  const receipt = { name: 'bud receipt', path: `/bud/orders/${ended}/receipt`, ready: text(/ending in/) };
  await screenshotLoadingAndFailed(bud, receipt);
  await screenshotState(bud, receipt, 'Completed');
  const id = items.find((order) => order.status === 'Requested')?.id ?? '';
  await screenshotLoadingAndFailed(bud, { name: 'bud order', path: `/bud/orders/${id}`, ready: mapCanvas });
  const absent = heading('Order Not Found');
  await screenshotState(bud, { name: 'bud order', path: `/bud/orders/${randomUUID()}`, ready: absent }, 'not found');
});

test('a rejected order', async ({ server, signIn }) => {
  const [bud, scrub] = await Promise.all([
    createTestUser(server, { role: 'Bud', fullname: 'Regina Reject', at: REMOTE_LOCATION }),
    createTestUser(server, { role: 'Scrub', fullname: 'Nora Nay', at: REMOTE_LOCATION }),
  ]);
  const { id } = await placeOrder(bud, scrub);
  await scrub.api['reject-order']({ params: { id } });
  await screenshotState(
    await signIn(bud.email),
    { name: 'bud order', path: `/bud/orders/${id}`, ready: heading('Order Status') },
    'Rejected',
  );
});

test('a pending and a delivered delivery', async ({ signIn }) => {
  const bud = await signIn(BUD);
  const { items } = (await bud.api.listDeliveries({ query: { pageSize: '100' } })).data;
  for (const status of ['Pending', 'Delivered'] as const) {
    const deliveries = items.filter((delivery) => delivery.status === status).slice(0, 2);
    for (const [index, { id }] of deliveries.entries()) {
      const state = `${status}${index > 0 ? ` ${index + 1}` : ''}`;
      await screenshotState(bud, { name: 'bud delivery', path: `/bud/deliveries/${id}`, ready: mapCanvas }, state);
    }
  }
  await screenshotLoadingAndFailed(bud, {
    name: 'bud delivery',
    path: `/bud/deliveries/${items[0]?.id}`,
    ready: mapCanvas,
  });
  const absent = heading('Delivery Not Found');
  await screenshotState(
    bud,
    { name: 'bud delivery', path: `/bud/deliveries/${randomUUID()}`, ready: absent },
    'not found',
  );
  await screenshotReviewDialog(
    bud,
    items.filter((delivery) => delivery.status === 'Delivered').map(({ id }) => id),
  );
});

/** Opens the review dialog of the first delivery whose driver has no review yet. */
async function screenshotReviewDialog(bud: GalleryUser, ids: readonly string[]): Promise<void> {
  const deliveries = await Promise.all(ids.map((id) => bud.api.readDelivery({ params: { id } })));
  const withoutReview = deliveries.find(
    ({ id, order }) => !order.reviews.some((review) => review.type === 'Bud_To_Duber' && review.deliveryId === id),
  );
  const page = await bud.newPage();
  await page.goto(`/#/bud/deliveries/${withoutReview?.id}`);
  await page.getByRole('button', { name: 'Leave Review for Driver' }).click();
  await page.getByRole('dialog').waitFor();
  await takeScreenshots(page, 'review dialog', 'empty');
  await page.getByRole('button', { name: 'Submit Review' }).click();
  await page.getByText('Please select a rating').waitFor();
  await takeScreenshots(page, 'review dialog', 'errors');
  await page.close();
}

test('profile and FAQ', async ({ signIn }) => {
  const bud = await signIn(BUD);
  await screenshotState(bud, { name: 'faq', path: '/faq', ready: heading(/./) }, 'full');
  const page = await bud.newPage();
  await page.goto('/#/profile');
  await page.getByRole('button', { name: 'Edit Profile' }).waitFor();
  await takeScreenshots(page, 'profile', 'full');
  await page.getByRole('button', { name: 'Edit Profile' }).click();
  await takeScreenshots(page, 'profile', 'editing');
  await page.getByRole('textbox', { name: 'Phone' }).fill('+1 202');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await page.getByText('Invalid phone number').waitFor();
  await takeScreenshots(page, 'profile', 'editing, errors');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Add New Address' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Please select location on map').waitFor();
  await takeScreenshots(page, 'profile', 'new address, errors');
});

const NO_DATA = { copy: null, erasedAt: null, open: [] };
const ASKED = { askedAt: '2026-12-01T10:00:00.000Z', until: '2026-12-08T10:00:00.000Z' };

test('personal data', async ({ signIn }) => {
  const page = await (await signIn(BUD)).newPage();
  const data = page.getByRole('region', { name: 'Your data' });
  let answer: object | undefined;
  await page.route('**/api/profile/data', (route) => (answer ? route.fulfill({ json: answer }) : route.abort()));
  const show = async (state: string, shown: object) => {
    answer = shown;
    await page.goto('/#/faq');
    await page.goto('/#/profile');
    await page.reload();
    await data.waitFor();
    await page.waitForLoadState('networkidle');
    if (!(await data.getByRole('listitem').first().isVisible()))
      await data.getByText('Your data', { exact: true }).click();
    await data.getByRole('listitem').first().waitFor();
    await data.scrollIntoViewIfNeeded();
    await takeScreenshots(page, 'personal data', state);
  };
  await show('nothing asked', NO_DATA);
  await show('the copy is made', { ...NO_DATA, copy: { ...ASKED, state: 'making' } });
  await show('the copy is ready', { ...NO_DATA, copy: { ...ASKED, state: 'ready' } });
  await show('the copy failed', { ...NO_DATA, copy: { ...ASKED, state: 'failed' } });
  await show('deleted in two weeks', { ...NO_DATA, erasedAt: '2026-12-14T20:00:00.000Z' });
  const order = { what: 'order', name: 'R-1042', amount: null };
  await show('something is open', { ...NO_DATA, open: [order, { what: 'balance', name: null, amount: 41.5 }] });
  await data.getByText('What happens with your data').click();
  await takeScreenshots(page, 'personal data', 'explained');
  await show('nothing asked', NO_DATA);
  await data.getByRole('button', { name: 'Delete account' }).click();
  await page.getByRole('dialog').waitFor();
  await takeScreenshots(page, 'personal data', 'deleting');
});

test('placing an order', async ({ signIn }) => {
  const page = await (await signIn(BUD)).newPage();
  const next = page.getByRole('button', { name: 'Next' });
  await page.goto('/#/bud/place-order');
  await page.getByRole('radio', ANY_RADIO).first().waitFor();
  await takeScreenshots(page, 'place order', '1 location');
  await page.getByRole('radio', ANY_RADIO).first().check();
  await stallRequests(page);
  await next.click();
  await page.getByText('Finding scrubs near you').waitFor();
  await takeScreenshots(page, 'place order', '2 scrub, loading');
  await restoreRequests(page);
  await failRequests(page);
  await page.reload();
  await page.getByRole('button', { name: 'Try Again' }).first().waitFor();
  await takeScreenshots(page, 'place order', '2 scrub, failed');
  await restoreRequests(page);
  // A reload instead of Try Again: the page may search again by itself first, and then the button is gone.
  await page.reload();
  await page.getByRole('radio', ANY_RADIO).first().check();
  await takeScreenshots(page, 'place order', '2 scrub');
  await next.click();
  await page.getByRole('radio', { name: 'Medium (3-5 lbs)' }).check();
  await takeScreenshots(page, 'place order', '3 details');
  await page.getByRole('button', { name: 'Place Order' }).click();
  await page.getByLabel('Card number').waitFor();
  await takeScreenshots(page, 'place order', '4 checkout');
  const pay = page.getByRole('button', { name: /^Pay \$/ });
  await fillCard(page, { number: '4000000000000002' });
  await pay.click();
  await page.getByText('Your order was not placed.').waitFor();
  await takeScreenshots(page, 'place order', '4 checkout, declined');
  await fillCard(page);
  await pay.click();
  await page.getByRole('dialog', { name: 'Thanks for your order!' }).waitFor();
  await takeScreenshots(page, 'place order', '5 thanks');
});

const savedCard = (id: number, brand: string, last4: string, changes: object = {}) => ({
  ...{ id: `0192f0c1-7a3b-7c4d-8e5f-00000000000${id}`, isSaved: true, brand, last4 },
  ...{ expMonth: 12, expYear: 2045, expiry: 'fine', savedAt: '2026-11-01T10:00:00.000Z', ...changes },
});
const VISA = savedCard(1, 'VISA', '1111');
const FIVE_CARDS = [
  VISA,
  savedCard(2, 'AMERICAN_EXPRESS', '0009', { expMonth: 1, expYear: 2027, expiry: 'soon' }),
  savedCard(3, 'MASTERCARD', '5100', { expMonth: 10, expYear: 2026, expiry: 'over' }),
  savedCard(4, 'DISCOVER', '0004'),
  savedCard(5, 'JCB', '5841', { isSaved: false, expMonth: null, expYear: null }),
];

type SavedCardsAnswer = readonly object[] | 'loading' | 'failed';

/** Answers the list of saved cards. Returns how the answer is changed. */
async function answerCards(page: Page): Promise<(answer: SavedCardsAnswer) => void> {
  let answer: SavedCardsAnswer = [];
  await page.route('**/api/profile/cards', (route) => {
    if (answer === 'loading') return;
    return answer === 'failed' ? route.abort() : route.fulfill({ json: { items: answer } });
  });
  return (next) => {
    answer = next;
  };
}

test('saved cards in the profile', async ({ signIn }) => {
  const page = await (await signIn(BUD)).newPage();
  const setCards = await answerCards(page);
  const section = page.getByRole('region', { name: 'Cards', exact: true });
  const showProfile = async (state: string, shown: SavedCardsAnswer, ready: string) => {
    setCards(shown);
    await page.goto('/#/profile');
    await page.reload();
    await section.getByText('Cards', { exact: true }).click();
    await section.getByText(ready).or(section.getByLabel(ready)).first().waitFor();
    await takeScreenshots(page, 'cards in the profile', state);
  };
  await showProfile('empty', [], 'No saved cards.');
  await showProfile('loading', 'loading', 'Loading your cards');
  await showProfile('failed', 'failed', 'Unable To Get Your Cards');
  await showProfile('full', FIVE_CARDS, 'Visa ending in 1111');
  await section.getByRole('button', { name: 'Remove Visa ending in 1111' }).click();
  await page.getByRole('dialog').waitFor();
  await takeScreenshots(page, 'cards in the profile', 'removing');
});

test('the checkout with saved cards', async ({ signIn }) => {
  const page = await (await signIn(BUD)).newPage();
  const setCards = await answerCards(page);
  const next = page.getByRole('button', { name: 'Next' });
  const pay = page.getByRole('button', { name: /^Pay \$/ });
  await page.goto('/#/bud/place-order');
  await page.getByRole('radio', ANY_RADIO).first().check();
  await next.click();
  await page.getByRole('radio', ANY_RADIO).first().check();
  await next.click();
  await page.getByRole('radio', { name: 'Medium (3-5 lbs)' }).check();
  await page.getByRole('button', { name: 'Place Order' }).click();
  await pay.waitFor();
  const showCheckout = async (state: string, shown: SavedCardsAnswer, act: () => Promise<unknown>) => {
    setCards(shown);
    await page.reload();
    await act();
    await takeScreenshots(page, 'place order', `4 checkout, ${state}`);
  };
  const another = page.getByRole('radio', { name: 'Another card' });
  await showCheckout('cards loading', 'loading', () => page.getByLabel('Loading the card form').waitFor());
  await showCheckout('a saved card', [VISA], () => another.waitFor());
  await showCheckout('another card', [VISA], async () => {
    await another.check();
    await page.getByRole('checkbox').check();
  });
  await showCheckout('five cards, another one', FIVE_CARDS, async () => {
    await another.check();
    await page.getByText('which is the maximum').waitFor();
  });
  await showCheckout('a saved card that is gone', FIVE_CARDS, async () => {
    page.once('dialog', (dialog) => void dialog.accept());
    await pay.click();
    await page.getByText('Your order was not placed.').waitFor();
  });
});
