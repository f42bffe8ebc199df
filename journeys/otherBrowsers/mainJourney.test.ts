import { readSignUpCode } from '../inbox.ts';
import { expect, test } from '../journey.ts';
import type { ProductServer } from '../productServer.ts';
import { openFirefox } from './firefox.ts';
import { createPerson, type Person } from './person.ts';
import { findFirefox, findWebKit } from './programs.ts';
import type { OtherBrowser } from './tab.ts';
import { openWebKit } from './webKit.ts';

const PASSWORD = 'Rubadub1!';
const DELIVERY_STEPS = [
  'Accept 👍',
  'On The Way to Pickup',
  'Mark as Collected',
  'On The Way to Drop',
  'Mark as Delivered',
] as const;

// WebKit draws without a graphics card, which is slow.
test.describe.configure({ timeout: 1_200_000 });

type NewPerson = {
  readonly role: 'Bud' | 'Scrub' | 'Duber';
  readonly fullname: string;
  readonly street: string;
  readonly phone?: string;
};
type Participants = { readonly bea: Person; readonly sol: Person; readonly dana: Person };

test('the whole order works in Firefox', async ({ server }) => {
  const program = findFirefox();
  test.skip(program === undefined, 'Firefox is not installed');
  await runJourney(server, await openFirefox(program ?? ''));
});

test('the whole order works in WebKit', async ({ server }) => {
  const programs = findWebKit();
  test.skip(programs === undefined, 'WebKitGTK with its driver and Xvfb are not installed');
  if (programs) await runJourney(server, await openWebKit(programs));
});

async function runJourney(server: ProductServer, browser: OtherBrowser): Promise<void> {
  try {
    const openPerson = async () => createPerson(await browser.openTab());
    const participants = { bea: await openPerson(), sol: await openPerson(), dana: await openPerson() };
    const { bea, sol, dana } = participants;
    const people = Object.values(participants);
    await test.step('three people sign up', async () => {
      const from = { server, browser };
      await signUp(bea, { ...from, role: 'Bud', fullname: 'Bea', street: '12 Heron Street', phone: '2025550123' });
      await signUp(sol, { ...from, role: 'Scrub', fullname: 'Sol', street: '40 Heron Street' });
      await signUp(dana, { ...from, role: 'Duber', fullname: 'Dana', street: '23 Heron Street', phone: '2025550177' });
    });
    await test.step('the Bud orders and pays', () => placeOrder(bea, `Sol ${browser.name}`));
    await test.step('the Scrub accepts', () => acceptJob(participants));
    await test.step('the Duber takes the laundry to the Scrub', () => deliver(dana));
    await test.step('the Scrub washes', () => washLaundry(participants));
    await test.step('the Duber takes it back', () => deliver(dana));
    await test.step('the Bud and the Scrub review each other', () => review(participants));
    await test.step('all dashboards show the totals', () => expectTotals(server, participants));
    for (const person of people) expect(await person.readErrors()).toEqual([]);
  } finally {
    await browser.close();
  }
}

async function signUp(
  person: Person,
  {
    server,
    browser,
    role,
    fullname,
    street,
    phone,
  }: NewPerson & { readonly server: ProductServer; readonly browser: OtherBrowser },
): Promise<void> {
  const email = `${fullname}.${browser.name}@journeys.test`.toLowerCase();
  await person.goto(`${server.url}/#/signup`);
  await person.click('field', role, { exact: false });
  await person.click('button', 'Next');
  await person.fill('Full Name', `${fullname} ${browser.name}`);
  await person.fill('Email', email);
  await person.click('button', 'Send OTP');
  await person.fill('OTP Code', await readSignUpCode(server, email));
  await person.fill('Password', PASSWORD);
  await person.fill('Confirm Password', PASSWORD);
  await person.click('button', 'Next');
  await pickAddress(person, street);
  if (phone) await person.fill('Phone', phone);
  await expectNoOverflow(person);
  await person.click('button', 'Create Account');
  await person.arriveAt(`#/${role.toLowerCase()}/dashboard`);
  await expectNoOverflow(person);
}

async function pickAddress(person: Person, street: string): Promise<void> {
  await person.click('button', 'Select Location');
  await person.fill('Search address', street);
  await person.click('option', street, { exact: false });
  await person.click('button', 'Save');
  expect(await person.valueOf('Location (lat, lng)')).toMatch(/^Location \(-?[\d.]+, -?[\d.]+\)$/);
}

async function placeOrder(bea: Person, scrub: string): Promise<void> {
  await bea.click('link', 'Place New Order');
  await bea.click('field', 'Default', { exact: false });
  await bea.click('button', 'Next');
  await bea.click('field', scrub, { exact: false });
  await bea.click('button', 'Next');
  await bea.click('field', 'Medium (3-5 lbs)', { exact: false });
  await expectNoOverflow(bea);
  await bea.click('button', 'Place Order');
  await bea.fill('Card number', '4111111111111111');
  await bea.fill('Expiration date (MM/YY)', '1230');
  await bea.fill('CVV', '111');
  await bea.fill('ZIP', '24101');
  await expectNoOverflow(bea);
  await bea.click('button', 'Pay $26.83');
  await bea.see('Thanks for your order!');
  await bea.click('button', 'My Orders');
  await bea.arriveAt('#/bud/orders');
  await bea.click('link', 'View Details');
  await bea.see('Requested');
}

async function acceptJob({ bea, sol }: Participants): Promise<void> {
  await sol.click('link', 'View Details');
  await sol.click('button', 'Accept');
  await sol.see('Best Of Luck For The New Order');
  // Nobody refreshes: the event stream works in this browser.
  await bea.see('Accepted');
  await expectNoOverflow(bea);
  await expectNoOverflow(sol);
}

async function deliver(dana: Person): Promise<void> {
  await dana.click('link', 'Dashboard');
  // Without it, the first link is that of the delivery before.
  await dana.see('Deliveries – Waiting For You');
  await dana.click('link', 'View Details');
  // The dashboard's card has a button with the same name.
  await dana.see('Delivery Details');
  for (const step of DELIVERY_STEPS) await dana.click('button', step);
  await dana.see('Great job on successful delivery.');
  await expectNoOverflow(dana);
}

async function washLaundry({ sol }: Participants): Promise<void> {
  await sol.click('button', 'Start Job');
  await sol.click('button', 'Complete Job');
  await sol.see('Congratulations for completing the job');
}

async function review({ bea, sol }: Participants): Promise<void> {
  for (const person of [bea, sol]) {
    // A Bud gives the stars first, to the Scrub before the Duber.
    if (person === bea) await person.click('button', '5 stars');
    else {
      await person.click('button', 'Leave Review for Bud');
      await person.click('field', '5 stars');
    }
    await person.fill('Review', 'Everything was just as I had hoped.');
    await person.click('button', 'Submit Review');
    await person.see('Review submitted successfully!', '(5/5)');
    await expectNoOverflow(person);
  }
}

async function expectTotals(server: ProductServer, { bea, sol, dana }: Participants): Promise<void> {
  for (const [person, amount] of [
    [bea, '$26.83'],
    [sol, '$12.50'],
    [dana, '$11.98'],
  ] as const) {
    await person.click('link', 'Dashboard');
    await person.see(amount);
    await expectNoOverflow(person);
  }
  await bea.goto(`${server.url}/#/faq`);
  await expectNoOverflow(bea);
}

const expectNoOverflow = async (person: Person) => expect(await person.measureOverflow()).toBeLessThanOrEqual(0);
