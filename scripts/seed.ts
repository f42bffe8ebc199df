import { Unreachable } from '../contract/client.ts';
import { CommandError, describeError } from '../server/commands/commandError.ts';
import { reachableHost, readConfig, toUrlHost } from '../server/config/config.ts';
import { seedDemo } from './demo/seed.ts';

// npm run seed [address]: fills a running installation, whose mail and card stand-ins are reachable there, with the demo.
async function run(): Promise<void> {
  const { host, port } = readConfig(process.env);
  const url = (process.argv[2] ?? `http://${toUrlHost(reachableHost(host))}:${port}`).replace(/\/+$/, '');
  const filled = await seedDemo({ apiUrl: `${url}/api`, inboxUrl: `${url}/sandbox/mail/messages`, isEmpty: false });
  console.log(`rubadub: ${filled.people} people and ${filled.orders} orders are at ${url}`);
}

run().catch((cause: unknown) => {
  const error =
    cause instanceof Unreachable ? new CommandError('nothing answers there: start the product first') : cause;
  console.error(`rubadub: ${describeError(error)}`);
  process.exit(1);
});
