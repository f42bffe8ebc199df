import { Unreachable } from '../contract/callClient.ts';
import { CommandError, describeError } from '../server/commands/commandError.ts';
import { reachableHost, readConfig, toUrlHost } from '../server/config/config.ts';
import { createDemoPassword } from './demo/password.ts';
import { DEMO_PASSWORD } from './demo/people.ts';
import { seedDemo } from './demo/seed.ts';
import { readSeed } from './demo/seedState.ts';

// npm run seed [url]: adds the demo data to a running installation that uses the mail and payment stand-ins.
async function run(): Promise<void> {
  const [, , named] = process.argv;
  const { host, port, dataDir } = readConfig(process.env);
  const url = (named ?? `http://${toUrlHost(reachableHost(host))}:${port}`).replace(/\/$/, '');
  const password = process.env.DEMO_PASSWORD || readPassword(named, dataDir);
  console.log(`rubadub: the demo people have the password ${password}; DEMO_PASSWORD sets another one`);
  const inboxUrl = `${url}/sandbox/mail/messages`;
  const demo = await seedDemo({ apiUrl: `${url}/api`, inboxUrl, password, isEmpty: false });
  console.log(`rubadub: ${demo.people} people and ${demo.orders} orders are at ${url}`);
}

// Who can reach a server cannot be known from here, so new demo people never get the usual password.
function readPassword(named: string | undefined, dataDir: string): string {
  const { state, password = DEMO_PASSWORD } = readSeed(dataDir);
  return named === undefined && state !== 'none' ? password : createDemoPassword();
}

run().catch((cause: unknown) => {
  const error =
    cause instanceof Unreachable ? new CommandError('no server answers at this URL: start the product first') : cause;
  console.error(`rubadub: ${describeError(error)}`);
  process.exit(1);
});
