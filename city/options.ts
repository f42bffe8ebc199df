import { parseArgs } from 'node:util';
import type { PriceItem } from '../domain/payments.ts';
import { MAX_POUNDS_A_DAY } from '../domain/weeks.ts';

/** Prices that differ from the default ones, in the unit of people. */
export type PriceChanges = Readonly<Partial<Record<PriceItem, number>>>;

/** What `npm run city` is asked to do. */
export type CityOptions = {
  readonly buds: number;
  readonly scrubs: number;
  readonly dubers: number;
  readonly operators: number;
  /** How many orders a window takes. Without any, the town offers no windows. */
  readonly windows: number;
  /** How often some hours pass at once, in a town with windows. */
  readonly leaps: number;
  /** How many pounds each Scrub takes on a day. Undefined: some say what they take, as they like. */
  readonly pounds: number | undefined;
  /** How many minutes of the city pass in a minute. */
  readonly speed: number;
  /** How long people do things, in real minutes. After that they finish what is open, and everything is checked. */
  readonly minutes: number;
  readonly seed: number;
  readonly policy: 'open' | 'careful';
  /** Breaks servers, the database and networks meanwhile. */
  readonly chaos: boolean;
  /** Goes on until the end although something was found. */
  readonly goOn: boolean;
  /** Repeats a run that found something with fewer people, to find the smallest that finds it. */
  readonly shrink: boolean;
  /** The address of an installation that runs already. Without it, one is started and thrown away. */
  readonly against: string | undefined;
  /** The database of `against`, so that it is checked too. */
  readonly database: string | undefined;
  /** The folder of the report. */
  readonly report: string;
  /** Prices that differ from the default ones. */
  readonly prices: PriceChanges;
  /** Changes for a second run, whose day is compared with that of the first: "dubers=8,pickup=4.50". */
  readonly whatIf: string | undefined;
};

export class OptionError extends Error {
  override name = 'OptionError';
}

const DEFAULTS = { buds: 12, scrubs: 5, dubers: 5, operators: 1, windows: 0, leaps: 4, speed: 60, minutes: 3 };
const MOST = {
  buds: 2_000,
  scrubs: 500,
  dubers: 500,
  operators: 20,
  windows: 1_000,
  leaps: 12,
  speed: 1_000,
  minutes: 24 * 60,
};
type Count = keyof typeof DEFAULTS;

export const USAGE = `npm run city -- [options]: simulated people use Rubadub, and everything they see is checked

  --buds, --scrubs, --dubers, --operators   how many people   (${DEFAULTS.buds}, ${DEFAULTS.scrubs}, ${DEFAULTS.dubers}, ${DEFAULTS.operators})
  --windows      how many orders a window takes, 0 for no windows    (${DEFAULTS.windows})
  --leaps        how often five hours pass at once, with windows  (${DEFAULTS.leaps})
  --pounds       how many pounds each Scrub takes on a day, with windows    (as each of them likes)
  --minutes      how long they do things                      (${DEFAULTS.minutes})
  --speed        minutes of the city in a minute              (${DEFAULTS.speed})
  --seed         repeats the decisions of another run         (random)
  --policy       open or careful                              (open)
  --chaos        break servers, the database and networks meanwhile; from one minute on with a failover
  --go-on        do not end the day when something is found
  --no-shrink    do not repeat a run that found something with fewer people
  --against      the address of an installation that runs already
  --database     its database, to check that too
  --what-if      live the same day again with changes, and compare: dubers=8,windows=3,pounds=40,pickup=4.50
  --report       the folder for the report                    (data/city)`;

/** Reads the command's arguments. Throws OptionError with words for the terminal. */
export function readCityOptions(args: readonly string[], randomSeed: number): CityOptions {
  const { values } = parse(args);
  const count = (name: Count): number => {
    const text = values[name];
    if (text === undefined) return DEFAULTS[name];
    const value = Number(text);
    const isWhole = name === 'speed' || name === 'minutes' || Number.isInteger(value);
    const least = name === 'operators' || name === 'windows' || name === 'leaps' ? 0 : name === 'minutes' ? 0.1 : 1;
    if (text.trim() === '' || !isWhole || !(value >= least && value <= MOST[name]))
      throw new OptionError(`--${name} must be from ${least} to ${MOST[name]}, not "${text}"`);
    return value;
  };
  const { policy = 'open', against, database, report = 'data/city', seed } = values;
  if (policy !== 'open' && policy !== 'careful')
    throw new OptionError(`--policy must be open or careful, not "${policy}"`);
  if (seed !== undefined && !/^\d{1,10}$/.test(seed)) throw new OptionError(`--seed must be a number, not "${seed}"`);
  if (against !== undefined && !URL.canParse(against))
    throw new OptionError(`--against must be an address like http://127.0.0.1:3000, not "${against}"`);
  for (const name of ['chaos', 'policy', 'what-if'] as const)
    if (against !== undefined && values[name])
      throw new OptionError(`--${name} needs an installation of its own: leave out --against`);
  if (database !== undefined && against === undefined) throw new OptionError('--database goes with --against');
  return {
    buds: count('buds'),
    scrubs: count('scrubs'),
    dubers: count('dubers'),
    operators: against === undefined ? count('operators') : 0,
    windows: count('windows'),
    leaps: count('leaps'),
    pounds: values.pounds === undefined ? undefined : readPounds(values.pounds),
    speed: count('speed'),
    minutes: count('minutes'),
    seed: seed === undefined ? randomSeed : Number(seed),
    policy,
    chaos: values.chaos ?? false,
    goOn: values['go-on'] ?? false,
    shrink: values.shrink ?? true,
    against: against?.replace(/\/+$/, ''),
    database,
    report,
    prices: {},
    whatIf: values['what-if'],
  };
}

function parse(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  try {
    return parseArgs({
      args: [...args],
      allowNegative: true,
      options: {
        ...{
          buds: text,
          scrubs: text,
          dubers: text,
          operators: text,
          windows: text,
          leaps: text,
          pounds: text,
          speed: text,
          minutes: text,
          seed: text,
        },
        ...{
          policy: text,
          against: text,
          database: text,
          report: text,
          'what-if': text,
          chaos: flag,
          shrink: flag,
          'go-on': flag,
        },
      },
    });
  } catch (error) {
    throw new OptionError(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
  }
}

function readPounds(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= MAX_POUNDS_A_DAY) return value;
  throw new OptionError(`--pounds must be from 1 to ${MAX_POUNDS_A_DAY}, not "${text}"`);
}

/** The command that repeats a run. */
export function describeCommand(options: CityOptions): string {
  const { buds, scrubs, dubers, operators, windows, leaps, pounds, speed, minutes, seed } = options;
  const { policy, chaos, goOn, against, whatIf } = options;
  const inWindows = windows > 0 ? { leaps, ...(pounds === undefined ? {} : { pounds }) } : {};
  const values = { buds, scrubs, dubers, operators, windows, ...inWindows, speed, minutes, seed };
  const words = Object.entries(values).map(([name, value]) => `--${name} ${value}`);
  if (policy !== 'open') words.push(`--policy ${policy}`);
  if (chaos) words.push('--chaos');
  if (goOn) words.push('--go-on');
  if (against !== undefined) words.push(`--against ${against}`);
  if (whatIf !== undefined) words.push(`--what-if ${whatIf}`);
  return `npm run city -- ${words.join(' ')}`;
}
