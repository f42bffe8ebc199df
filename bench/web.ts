import { chromium } from '@playwright/test';
import { client } from '../contract/client.ts';
import type { Role } from '../domain/accounts.ts';
import { browserToLaunch } from '../scripts/browser.ts';
import { leadOf, PASSWORD } from '../scripts/demo/people.ts';
import { seedDemo } from '../scripts/demo/seed.ts';
import { openHouse } from '../scripts/openProduct.ts';
import { atEnd, folderOfItsOwn, runBench, say } from './run.ts';
import { serveBlank } from './web/blank.ts';
import { type Paint, type Route, readPaint, readWeight, type Weight } from './web/visit.ts';

const RUNS = 3;
// What each kind of route may load at most, in kB of gzipped JS and CSS.
const DOOR_KB = 190;
const DASHBOARD_KB = 230;

type Measured = Route & { readonly limit?: number };

async function openFilledHouse() {
  const dataDir = folderOfItsOwn();
  // All that fills the house and signs in comes from one address here.
  const env = { PORT: '0', DATA_DIR: dataDir, DEMO: 'off', RATE_LIMIT_SCALE: '100' };
  const house = await openHouse({ env, withWeb: true, say, atEnd });
  await seedDemo({ host: `${house.ownUrl}/api`, inbox: `${house.ownUrl}/sandbox/mail/messages`, isEmpty: true });
  return house;
}

/** The routes to look at, each with the session of whom it is for. */
async function routesOf(url: string): Promise<Measured[]> {
  const signIn = async (role: Role) => {
    const email = leadOf(role)?.email ?? '';
    return (await client(`${url}/api`).login({ body: { email, password: PASSWORD } })).authToken;
  };
  const [bud, scrub, duber] = [await signIn('Bud'), await signIn('Scrub'), await signIn('Duber')];
  const query = { filters: JSON.stringify([{ field: 'status', operator: 'eq', value: 'Completed' }]) };
  const order = (await client(`${url}/api`, () => bud).listOrders({ query })).data.items[0];
  const at = (path: string) => `${url}/#${path}`;
  const row = 'main a:has-text("View Details")';
  return [
    { name: 'landing', url: `${url}/`, ready: 'h1', limit: DOOR_KB },
    { name: 'sign-in', url: at('/login'), ready: 'input[type=password]', limit: DOOR_KB },
    { name: 'sign-up', url: at('/signup'), ready: 'input[type=radio]' },
    { name: 'Bud dashboard', url: at('/bud/dashboard'), ready: row, token: bud, limit: DASHBOARD_KB },
    { name: 'Scrub dashboard', url: at('/scrub/dashboard'), ready: row, token: scrub, limit: DASHBOARD_KB },
    { name: 'Duber dashboard', url: at('/duber/dashboard'), ready: row, token: duber, limit: DASHBOARD_KB },
    { name: 'order page', url: at(`/bud/orders/${order?.id}`), ready: 'main h2', token: bud },
    { name: 'place order', url: at('/bud/place-order'), ready: 'main input[type=radio]', token: bud },
  ];
}

const kb = (bytes: number) => (bytes / 1000).toFixed(1);
const line = (cells: readonly string[]) =>
  console.log(cells.map((cell, index) => (index === 0 ? cell.padEnd(18) : cell.padStart(12))).join(''));

function printWeights(routes: readonly Measured[], weights: readonly Weight[]): void {
  console.log('\nWhat a first visit loads, in kB of gzipped JS and CSS\n');
  line(['', 'JS', 'CSS', 'both', 'at most', 'files', 'as sent']);
  for (const [index, { js, css, files, sent }] of weights.entries()) {
    const { name = '', limit } = routes[index] ?? {};
    const isOver = limit !== undefined && (js + css) / 1000 > limit;
    const most = limit === undefined ? '' : `${isOver ? 'OVER ' : ''}${limit}`;
    line([name, kb(js), kb(css), kb(js + css), most, String(files), kb(sent)]);
  }
}

const middle = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

function printPaints(paints: ReadonlyMap<string, readonly Paint[]>): void {
  console.log(`\nOn a slow phone, in ms and as a ratio to the blank page: the median of ${RUNS}\n`);
  line(['', 'FCP', 'LCP', 'FCP ratio', 'LCP ratio']);
  const of = (name: string) => {
    const seen = paints.get(name) ?? [];
    return { fcp: middle(seen.map((one) => one.fcp)), lcp: middle(seen.map((one) => one.lcp)) };
  };
  const blank = of(BLANK);
  for (const name of paints.keys()) {
    const { fcp, lcp } = of(name);
    const ratios = [fcp / blank.fcp, lcp / blank.lcp].map((ratio) => `${ratio.toFixed(2)} ×`);
    line([name, fcp.toFixed(0), lcp.toFixed(0), ...ratios]);
  }
}

const BLANK = 'blank React page';

// npm run bench:web
async function run(): Promise<void> {
  const { ownUrl, config } = await openFilledHouse();
  const blank = await serveBlank(config);
  atEnd(blank.close);
  const browser = await chromium.launch(browserToLaunch());
  atEnd(() => browser.close());
  const routes = await routesOf(ownUrl);
  const weights: Weight[] = [];
  for (const route of routes) weights.push(await readWeight(browser, route));
  printWeights(routes, weights);
  if (process.argv.includes('--sizes')) return;
  const paints = new Map<string, Paint[]>();
  // In turns, so that whatever else the machine does falls on all of them alike.
  for (let round = 0; round < RUNS; round += 1) {
    say(`paint times, round ${round + 1} of ${RUNS} ...`);
    for (const route of [{ name: BLANK, url: blank.url, ready: 'h1' }, ...routes]) {
      paints.set(route.name, [...(paints.get(route.name) ?? []), await readPaint(browser, route)]);
    }
  }
  printPaints(paints);
}

runBench(run);
