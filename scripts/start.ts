import { explain, messageOf } from '../server/commands/commandError.ts';
import { banner } from './banner.ts';
import { noteSeed, seedDemo, seedState } from './demo/seed.ts';
import { type House, openHouse } from './openProduct.ts';

const CLOSE_WITHIN_MS = 10_000;
const SAME_PRESS_MS = 1_000;

const closers: (() => unknown)[] = [];
let ending = false;
let endingSince = 0;

const say = (line: string) => process.stderr.write(`rubadub: ${line}\n`);

async function end(code: number): Promise<void> {
  if (ending) {
    // npm passes on the Ctrl-C that the terminal has sent us as well; one that comes later means "now".
    if (performance.now() - endingSince > SAME_PRESS_MS) process.exit(1);
    return;
  }
  ending = true;
  endingSince = performance.now();
  setTimeout(() => {
    say('something did not end in time; the next start finds everything that was committed');
    process.exit(1);
  }, CLOSE_WITHIN_MS).unref();
  for (const close of closers.toReversed()) {
    try {
      await close();
    } catch (error) {
      say(`while ending: ${explain(error)}`);
    }
  }
  process.exit(code);
}

async function start(): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end(0));
  const withWeb = !process.argv.includes('--api');
  const house = await openHouse({
    env: process.env,
    withWeb,
    say,
    atEnd: (close) => closers.push(close),
  });
  if (house.config.demo) await fillDemo(house);
  if (ending) return;
  process.stdout.write(`${banner(house.config, house.config.demo && seedState(house.config.dataDir) === 'done')}\n`);
}

async function fillDemo({ config, server, ownUrl }: House): Promise<void> {
  const { dataDir } = config;
  const isEmpty = await server.isEmpty();
  if (!isEmpty && seedState(dataDir) !== 'begun') return;
  noteSeed(dataDir, 'begun');
  say('filling the made-up city with people and orders (some seconds, once) ...');
  try {
    await seedDemo({ host: `${ownUrl}/api`, inbox: `${ownUrl}/sandbox/mail/messages`, isEmpty });
    noteSeed(dataDir, 'done');
  } catch (error) {
    // The product runs well without its demo.
    if (!ending) say(`the demo is not complete and is continued at the next start: ${messageOf(error)}`);
  }
}

start().catch((error: unknown) => {
  // What a signal interrupts fails, too, and that is nobody's fault.
  if (ending) return;
  say(explain(error));
  void end(1);
});
