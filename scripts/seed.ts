import { Unreachable } from '../contract/client.ts';
import { CommandError, describeError } from '../server/commands/commandError.ts';
import { reachableHost, readConfig, toUrlHost } from '../server/config/config.ts';
import { seedDemo } from './demo/seed.ts';

// npm run seed [url]: adds the demo data to a running installation that uses the mail and payment stand-ins.
async function run(): Promise<void> {
  const { host, port } = readConfig(process.env);
  const url = (process.argv[2] ?? `http://${toUrlHost(reachableHost(host))}:${port}`).replace(/\/+$/, '');
  const demo = await seedDemo({ apiUrl: `${url}/api`, inboxUrl: `${url}/sandbox/mail/messages`, isEmpty: false });
  console.log(`rubadub: ${demo.people} people and ${demo.orders} orders are at ${url}`);
}

run().catch((cause: unknown) => {
  const error =
    cause instanceof Unreachable ? new CommandError('no server answers at this URL: start the product first') : cause;
  console.error(`rubadub: ${describeError(error)}`);
  process.exit(1);
});
