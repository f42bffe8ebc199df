import { chromium } from '@playwright/test';
import { createClient } from '../contract/client.ts';
import type { Role } from '../domain/accounts.ts';
import { getBrowserLaunchOptions } from '../scripts/browser.ts';
import { DEMO_PASSWORD, primaryAccountOf } from '../scripts/demo/people.ts';
import { seedDemo } from '../scripts/demo/seed.ts';
import { openProduct } from '../scripts/openProduct.ts';
import { addCleanup, createTempFolder, log, runBench } from './run.ts';
import { serveBlankPage } from './web/blankPage.ts';
import { measurePaint, measureWeight, type Paint, type Route, type Weight } from './web/pageMetrics.ts';

const RUNS = 3;
// The largest allowed size of each kind of route, in kB of gzipped JS and CSS.
const SIGNED_OUT_LIMIT_KB = 190;
const DASHBOARD_LIMIT_KB = 230;

type MeasuredRoute = Route & { readonly limitKb?: number };

async function openSeededProduct() {
  const dataDir = createTempFolder();
  // All requests come from one IP address, which would exceed the usual rate limits.
  const env = { PORT: '0', DATA_DIR: dataDir, DEMO: 'off', RATE_LIMIT_SCALE: '100' };
  const product = await openProduct({ env, withWeb: true, log, onClose: addCleanup });
  const { localUrl } = product;
  const inboxUrl = `${localUrl}/sandbox/mail/messages`;
  await seedDemo({ apiUrl: `${localUrl}/api`, inboxUrl, password: DEMO_PASSWORD, isEmpty: true });
  return product;
}

/** The routes to measure, each with a session of its role. */
async function prepareRoutes(url: string): Promise<MeasuredRoute[]> {
  const signIn = async (role: Role) => {
    const email = primaryAccountOf(role)?.email ?? '';
    return (await createClient(`${url}/api`).login({ body: { email, password: DEMO_PASSWORD } })).authToken;
  };
  const [bud, scrub, duber] = [await signIn('Bud'), await signIn('Scrub'), await signIn('Duber')];
  const query = { filters: JSON.stringify([{ field: 'status', operator: 'eq', value: 'Completed' }]) };
  const order = (await createClient(`${url}/api`, () => bud).listOrders({ query })).data.items[0];
  const urlOf = (path: string) => `${url}/#${path}`;
  const row = 'main a:has-text("View Details")';
  return [
    { name: 'landing', url: `${url}/`, readySelector: 'h1', limitKb: SIGNED_OUT_LIMIT_KB },
    { name: 'sign-in', url: urlOf('/login'), readySelector: 'input[type=password]', limitKb: SIGNED_OUT_LIMIT_KB },
    { name: 'sign-up', url: urlOf('/signup'), readySelector: 'input[type=radio]' },
    {
      name: 'Bud dashboard',
      url: urlOf('/bud/dashboard'),
      readySelector: row,
      token: bud,
      limitKb: DASHBOARD_LIMIT_KB,
    },
    {
      name: 'Scrub dashboard',
      url: urlOf('/scrub/dashboard'),
      readySelector: row,
      token: scrub,
      limitKb: DASHBOARD_LIMIT_KB,
    },
    {
      name: 'Duber dashboard',
      url: urlOf('/duber/dashboard'),
      readySelector: row,
      token: duber,
      limitKb: DASHBOARD_LIMIT_KB,
    },
    { name: 'order page', url: urlOf(`/bud/orders/${order?.id}`), readySelector: 'main h2', token: bud },
    { name: 'place order', url: urlOf('/bud/place-order'), readySelector: 'main input[type=radio]', token: bud },
  ];
}

const formatKb = (bytes: number) => (bytes / 1000).toFixed(1);
const printRow = (cells: readonly string[]) =>
  console.log(cells.map((cell, index) => (index === 0 ? cell.padEnd(18) : cell.padStart(12))).join(''));

function printWeights(routes: readonly MeasuredRoute[], weights: readonly Weight[]): void {
  console.log('\nWhat a first visit loads, in kB of gzipped JS and CSS\n');
  printRow(['', 'JS', 'CSS', 'both', 'at most', 'files', 'as sent']);
  for (const [index, { js, css, files, transferred }] of weights.entries()) {
    const { name = '', limitKb } = routes[index] ?? {};
    const isOver = limitKb !== undefined && (js + css) / 1000 > limitKb;
    const limit = limitKb === undefined ? '' : `${isOver ? 'OVER ' : ''}${limitKb}`;
    printRow([name, formatKb(js), formatKb(css), formatKb(js + css), limit, String(files), formatKb(transferred)]);
  }
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

function printPaints(paints: ReadonlyMap<string, readonly Paint[]>): void {
  console.log(`\nOn a slow phone, in ms and as a ratio to the blank page: the median of ${RUNS}\n`);
  printRow(['', 'FCP', 'LCP', 'FCP ratio', 'LCP ratio', 'shift']);
  const medianPaintOf = (name: string) => {
    const runs = paints.get(name) ?? [];
    const medianOf = (part: keyof Paint) => median(runs.map((paint) => paint[part]));
    return { fcp: medianOf('fcp'), lcp: medianOf('lcp'), shift: medianOf('shift') };
  };
  const blank = medianPaintOf(BLANK_PAGE);
  for (const name of paints.keys()) {
    const { fcp, lcp, shift } = medianPaintOf(name);
    const ratios = [fcp / blank.fcp, lcp / blank.lcp].map((ratio) => `${ratio.toFixed(2)} ×`);
    printRow([name, fcp.toFixed(0), lcp.toFixed(0), ...ratios, shift.toFixed(3)]);
  }
}

const BLANK_PAGE = 'blank React page';

// npm run bench:web
async function run(): Promise<void> {
  const { localUrl, config } = await openSeededProduct();
  const blank = await serveBlankPage(config);
  addCleanup(blank.close);
  const browser = await chromium.launch(getBrowserLaunchOptions());
  addCleanup(() => browser.close());
  const routes = await prepareRoutes(localUrl);
  const weights: Weight[] = [];
  for (const route of routes) weights.push(await measureWeight(browser, route));
  printWeights(routes, weights);
  if (process.argv.includes('--sizes')) return;
  const paints = new Map<string, Paint[]>();
  // Alternates between the routes, so that other load on the machine affects all of them equally.
  for (let round = 0; round < RUNS; round += 1) {
    log(`paint times, round ${round + 1} of ${RUNS} ...`);
    for (const route of [{ name: BLANK_PAGE, url: blank.url, readySelector: 'h1' }, ...routes]) {
      paints.set(route.name, [...(paints.get(route.name) ?? []), await measurePaint(browser, route)]);
    }
  }
  printPaints(paints);
}

runBench(run);
