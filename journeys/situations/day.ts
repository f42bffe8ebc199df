import type { Page } from '@playwright/test';
import type { DeliveryType } from '../../domain/deliveries.ts';
import { pointAt } from '../../testing/testServer.ts';
import { weightBody } from '../../testing/weighingCalls.ts';
import { openDashboard, placeOrder, type TestUser } from '../accounts.ts';
import { expect, OFFLINE_PHONE, type Visitor, type VisitorOptions } from '../journey.ts';
import { newPhoto } from '../photos.ts';
import type { Town } from './town.ts';

export type OpenVisitor = (options?: VisitorOptions) => Promise<Visitor>;

/** One order on a bad day: its people, and the town that they live in. */
export type Day = {
  readonly town: Town;
  readonly openVisitor: OpenVisitor;
  readonly bud: TestUser;
  readonly scrub: TestUser;
  readonly duber: TestUser;
  readonly orderId: string;
  /** Where the Bud and the Duber live, in meters north of the center: another neighbourhood for each order. */
  readonly north: number;
  /** The open pages, whose clocks are the town's. */
  readonly pages: Page[];
};

let neighbourhoods = 0;

/** A Bud's order that its Scrub has accepted, and a Duber nearby. */
export async function startDay(town: Town, openVisitor: OpenVisitor): Promise<Day> {
  neighbourhoods += 1;
  const north = neighbourhoods * 40_000;
  const [bud, scrub, duber] = await Promise.all([
    town.signUp('Bud', 'Bea Bad', { north }),
    town.signUp('Scrub', 'Sol Soap', { north: north + 400 }),
    town.signUp('Duber', 'Dora Drive', { north }),
  ]);
  const { id: orderId } = await placeOrder(bud, scrub);
  await scrub.api['accept-order']({ params: { id: orderId } });
  return { town, openVisitor, bud, scrub, duber, orderId, north, pages: [] };
}

// The time of a page, without its timers: those go on as they are.
const followClock = (msAhead: number) => `{
  globalThis.msAhead = ${msAhead};
  const MachineDate = Date;
  globalThis.Date = class extends MachineDate {
    constructor(...parts) {
      if (parts.length === 0) super(MachineDate.now() + globalThis.msAhead);
      else super(...parts);
    }
    static now() {
      return MachineDate.now() + globalThis.msAhead;
    }
  };
}`;

/** Moves the clocks of the town and of the open phones. */
export async function advanceClocks({ town, pages }: Day, minutes: number): Promise<void> {
  town.advanceClock(minutes * 60_000);
  for (const page of pages) await page.evaluate(`globalThis.msAhead = ${town.msAhead()}`);
}

/** The id of the way to the Scrub, or of the way back. */
export async function readDeliveryId({ bud, orderId }: Day, type: DeliveryType): Promise<string> {
  const { deliveries } = await bud.api.readOrder({ params: { id: orderId } });
  const way = deliveries.findLast(({ deliveryType }) => deliveryType === type);
  if (!way) throw new Error(`no ${type}`);
  return way.id;
}

const WAY = ['accepts', 'sets out', 'collects', 'drives'] as const;
type Progress = (typeof WAY)[number];

/** A Duber takes the steps of a way up to this one, each with its proof. */
export async function takeSteps(day: Day, id: string, until: Progress, duber = day.duber): Promise<void> {
  const params = { id };
  const steps: Record<Progress, () => Promise<unknown>> = {
    accepts: () => duber.api['accept-delivery']({ params }),
    'sets out': () => duber.api['way-to-pickup']({ params }),
    collects: () => duber.api.collectWithProof({ params, body: { bags: 2 } }),
    drives: () => duber.api['way-to-drop']({ params }),
  };
  for (const step of WAY.slice(0, WAY.indexOf(until) + 1)) await steps[step]();
}

/** The PIN that this person tells the Duber. */
export async function readPin({ orderId }: Day, { api }: TestUser): Promise<string> {
  const { pin } = await api.readCustody({ params: { id: orderId } });
  if (!pin) throw new Error('no PIN');
  return pin;
}

/** A Duber takes the laundry all the way, to the one who says the PIN. */
export async function carryLaundry(day: Day, type: DeliveryType): Promise<void> {
  const id = await readDeliveryId(day, type);
  await takeSteps(day, id, 'drives');
  const pin = await readPin(day, type === 'Bud_To_Scrub' ? day.scrub : day.bud);
  await day.duber.api.deliverWithProof({ params: { id }, body: { pin, bags: 2 } });
}

/** The Scrub has the laundry, and has done it. */
export async function washLaundry(day: Day): Promise<void> {
  const params = { id: day.orderId };
  await carryLaundry(day, 'Bud_To_Scrub');
  await day.scrub.api['start-order']({ params });
  await weighWhereAsked(day);
  await day.scrub.api['complete-order']({ params });
}

// The pounds of a Small load, as these Buds order.
const ESTIMATED_POUNDS = 2;

/** A careful town wants laundry weighed before it is done: it weighs what its Bud said. */
export async function weighWhereAsked({ town, scrub, orderId }: Day): Promise<void> {
  if (town.preset === 'careful')
    await scrub.api.weighOrder({ params: { id: orderId }, body: await weightBody(scrub, ESTIMATED_POUNDS) });
}

/** The Bud has the laundry back. */
export async function bringLaundryHome(day: Day): Promise<void> {
  await washLaundry(day);
  await carryLaundry(day, 'Scrub_To_Bud');
}

export type Phone = {
  readonly page: Page;
  /** Does something while this phone has no network. */
  readonly withoutNetwork: (act: () => Promise<unknown>) => Promise<void>;
  readonly allowErrors: Visitor['allowErrors'];
};

async function openPhone({ town, openVisitor, north, pages }: Day, person: TestUser, path: string): Promise<Phone> {
  const visitor = await openVisitor(OFFLINE_PHONE);
  const { page, context } = visitor;
  pages.push(page);
  await context.addInitScript(followClock(town.msAhead()));
  await context.grantPermissions(['geolocation']);
  await context.setGeolocation(pointAt(north, 0));
  await openDashboard(visitor, town, person);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.goto(`/#${path}`);
  // Fetching the service worker without a network would be an error in the console.
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
  return {
    page,
    allowErrors: visitor.allowErrors,
    withoutNetwork: async (act) => {
      await visitor.setOffline(true);
      await act();
      await visitor.setOffline(false);
    },
  };
}

export const openBudsPhone = (day: Day) => openPhone(day, day.bud, `/bud/orders/${day.orderId}`);
export const openScrubsPhone = (day: Day) => openPhone(day, day.scrub, `/scrub/jobs/${day.orderId}`);
export const openDubersPhone = (day: Day, wayId: string, duber = day.duber) =>
  openPhone(day, duber, `/duber/deliveries/${wayId}`);

/** Chooses a photo of a door or of bags, and waits until it is sent. */
export async function takePhoto(page: Page): Promise<void> {
  await page.getByLabel('Choose photo').locator('visible=true').setInputFiles(newPhoto());
  await expect(page.getByText(/^1 of \d photos$/).locator('visible=true')).toBeVisible();
}

export const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
/** Opens the sheet for a proof: by the button of the step itself where the town asks for one, else by the quiet line. */
export const openProof = (
  page: Page,
  town: { readonly preset: string },
  step: 'Mark as Collected' | 'Mark as Delivered',
) => press(page, town.preset === 'careful' ? step : 'Prove the hand-over');
export const choose = (page: Page, name: string) => page.getByRole('radio', { name, exact: true }).check();
