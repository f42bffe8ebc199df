import { createRandom } from '../../sandbox/city/random.ts';
import type { Product } from '../openProduct.ts';
import { addPeople } from './accounts.ts';
import { openNeighbours } from './neighbours/neighbours.ts';
import { createSignIn } from './neighbours/signIn.ts';
import { DEMO_PEOPLE, LIVE_DUBERS, primaryAccountOf } from './people.ts';
import { readSeed, writeSeed } from './seedState.ts';

type LiveProduct = Pick<Product, 'config' | 'localUrl' | 'demoPassword' | 'maintenance' | 'visits' | 'paceControl'>;

// A visitor who looks around as the Bud places the Bud's orders, and the other Dubers have a delivery in the demo's history.
const NEIGHBOURS = [
  ...DEMO_PEOPLE.filter(({ role }) => role === 'Scrub'),
  ...LIVE_DUBERS,
  ...DEMO_PEOPLE.filter(({ role, email }) => role === 'Bud' && email !== primaryAccountOf('Bud')?.email),
];

/** Brings a complete demo to life, in the background. */
export function openLiveDemo(product: LiveProduct): { readonly close: () => Promise<void> } {
  const { config, localUrl, demoPassword: password, maintenance, visits, paceControl } = product;
  const { send } = maintenance;
  const apiUrl = `${localUrl}/api`;
  const startedAt = new Date();
  let close: (() => Promise<void>) | undefined;
  let isClosed = false;
  const opening = addDubers(product).then(() => {
    if (isClosed || !visits) return;
    const { doneAt } = readSeed(config.dataDir);
    const since = doneAt === undefined ? startedAt : new Date(doneAt);
    const enter = createSignIn({ apiUrl, password, send });
    const pace = paceControl?.pace ?? (() => 1);
    close = openNeighbours({ people: NEIGHBOURS, enter, visits, since, pace, random: createRandom(+startedAt) }).close;
  });
  // The rest of the product needs no neighbours, and the next start tries again.
  opening.catch(() => undefined);
  return {
    close: async () => {
      isClosed = true;
      await close?.();
    },
  };
}

/** The demo of an earlier release, or of DEMO=on, has no Dubers who are free. */
async function addDubers({ config, localUrl, demoPassword: password, maintenance }: LiveProduct): Promise<void> {
  const { dataDir } = config;
  const { liveDubers } = readSeed(dataDir);
  if (liveDubers === 'done') return;
  writeSeed(dataDir, { ...readSeed(dataDir), liveDubers: 'begun' });
  const inboxUrl = `${localUrl}/sandbox/mail/messages`;
  const target = { apiUrl: `${localUrl}/api`, inboxUrl, password, isEmpty: liveDubers === undefined };
  await addPeople({ ...target, send: maintenance.send }, LIVE_DUBERS);
  writeSeed(dataDir, { ...readSeed(dataDir), liveDubers: 'done' });
}
