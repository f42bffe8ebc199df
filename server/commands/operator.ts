import { userInfo } from 'node:os';
import { parseArgs } from 'node:util';
import { v7 as newId, validate } from 'uuid';
import { LIABLE_PARTIES, type LiableParty } from '../../domain/ledger.ts';
import { formatOrderNumber, parseOrderNumber } from '../../domain/orders.ts';
import {
  isPolicyName,
  POLICIES,
  POLICY_NAMES,
  type PolicyName,
  type PolicyValue,
  PRESETS,
  policyValuesOf,
} from '../../domain/policies.ts';
import type { Tx } from '../db/database.ts';
import { listGivenUpMessages } from '../notifications/outbox.sql.ts';
import { findOrderId } from '../orders/orders.sql.ts';
import { adjustOrder, codeOfLines, proposeAdjustment } from '../payments/adjustments.ts';
import { dropRefund } from '../payments/dropRefund.ts';
import { csvPayoutMethod, renderSentBatch, runPayouts, sendPayouts } from '../payments/payouts.ts';
import { adviceFor, listProblems, retryProblem } from '../payments/problems.sql.ts';
import { requestRefund } from '../payments/refunds.ts';
import { readPolicy, setPolicy, setPreset } from '../policies.sql.ts';
import { formatDollars, parseCents } from './amounts.ts';
import { CASE_HELP, runCaseCommand } from './caseCommand.ts';
import { CommandError, describeError, errorMessageOf } from './commandError.ts';
import { openDatabase } from './openDatabase.ts';
import { setPriceFrom, showPrices } from './priceCommand.ts';
import { refuseExisting, writePrivateFile } from './privateFile.ts';
import { findOperator, parsePlace, readSteppableId, takeOperatorStep } from './stepCommand.ts';

const HELP = `npm run operator -- <command>

  An <order> is its number, like R-1042, or its id.

  list                              problems that need a person, and what to do
  retry <id>                        tries a payment or refund from that list again
  drop <refund>                     gives up a refund that Square refuses
  refund <order> [dollars]          refunds the whole order, or a part, to the card
         --liable platform|scrub|duber   who pays for it (default: platform)
         --delivery <id>                 which delivery's Duber, if there are two
         --reason <text>                 what the Bud reads on the statement
  adjust <order>                    shows what corrects an order that ledger:check lists, and a code
         --yes <code> [--reason <text>]  writes what was shown with that code
  payout run                        creates the payouts for everything earned before Monday (the server also does this)
  payout send [--out <file>]        writes the due payouts into a file for the bank
  payout again <batch> [--out <file>]   writes the file of a batch again
  prices                            all prices, and from when they apply
  price <item> <value> --from <date>    sets a price from a date on, in dollars (2.75), as a rate (8.25%), or in pounds (size-XL 15)
  policy                            what is decided for the whole installation, and what each choice means
  policy <name> <value>             decides it from now on: policy privacy careful
  step <order or delivery> <action> takes a step that only an operator can take
         --reason <word> [--words <text>]   why, for its people
         --liable platform|scrub            who pays the Dubers (reopen; default: platform)
         --as <e-mail>                      your account, for the history
         --latitude <x> --longitude <y>     where the laundry is (relay)
  preset open|careful               decides everything at once: as simple as possible, or as a town with strangers' money should
  messages                          mails and pushes that could not be sent, newest first, and why
${CASE_HELP}`;

const MAX_LISTED_MESSAGES = 100;
const MAX_LISTED_PROBLEMS = 100;

type CommandArguments = { words: string[]; flags: { [name: string]: string | undefined } };
const NO_ARGUMENTS: CommandArguments = { words: [], flags: {} };
type Command = (db: Tx, args: CommandArguments) => Promise<string>;
type OperatorContext = { db: Tx; now: () => Date; newId: () => string };

const createContext = (db: Tx): OperatorContext => ({ db, now: () => new Date(), newId: () => newId() });

function parseId(word: string | undefined, what: string): string {
  if (word !== undefined && validate(word)) return word.toLowerCase();
  throw new CommandError(`${what} must be an id, not "${word ?? ''}"`);
}

/** The id of an order from its id or its number. The id of a payment is that of its order. */
async function readOrderId(db: Tx, word: string | undefined, what: string): Promise<string> {
  const number = word === undefined ? undefined : parseOrderNumber(word);
  if (number === undefined) return parseId(word, what);
  const id = await findOrderId(db, number);
  if (id === undefined) throw new CommandError(`there is no order ${formatOrderNumber(number)}`);
  return id;
}

const COMMANDS: Record<string, Command> = {
  list: async (db) => {
    const problems = await listProblems(db, MAX_LISTED_PROBLEMS + 1);
    if (problems.length === 0) return 'Nothing needs a person.';
    const lines = problems
      .slice(0, MAX_LISTED_PROBLEMS)
      .map((problem) =>
        [
          `${problem.about} ${problem.id}: ${formatDollars(problem.cents)}, since ${problem.since.toISOString()}`,
          `  order ${[problem.orderNumber, problem.orderId].filter(Boolean).join(' ')} (${problem.orderStatus ?? 'never placed'}), Square's ${problem.squareId ?? 'none'}`,
          `  ${problem.why}`,
          `  ${adviceFor(problem)}`,
        ].join('\n'),
      );
    const more = problems.length > lines.length ? [`There are more: these are the ${MAX_LISTED_PROBLEMS} oldest.`] : [];
    return [...lines, ...more].join('\n\n');
  },
  retry: async (db, { words }) => {
    const id = await readOrderId(db, words[0], 'retry');
    if (await retryProblem(db, id, new Date())) return 'The server tries it again within seconds.';
    throw new CommandError(`no payment or refund ${id} waits for a person`);
  },
  drop: async (db, { words }) => {
    const id = parseId(words[0], 'drop');
    if (await dropRefund(db, id, new Date())) return 'The refund is dropped. Nothing was refunded to the card.';
    throw new CommandError(`no refund ${id} waits for a person`);
  },
  refund: async (db, { words, flags }) => {
    const liable = (flags.liable ?? 'platform') as LiableParty;
    if (!LIABLE_PARTIES.includes(liable))
      throw new CommandError(`--liable must be one of ${LIABLE_PARTIES.join(', ')}`);
    const refund = await requestRefund(createContext(db), {
      orderId: await readOrderId(db, words[0], 'refund'),
      ...(words[1] === undefined ? {} : { amount: parseCents(words[1]) }),
      ...(flags.delivery === undefined ? {} : { deliveryId: parseId(flags.delivery, '--delivery') }),
      liable,
      reason: (flags.reason ?? 'Refund').slice(0, 190),
    });
    if (!refund.ok) throw new CommandError(`no refund: ${refund.why}`);
    const shares = `${formatDollars(refund.amount - refund.taxes)} paid by the ${liable}`;
    return `Refund ${refund.id} is queued: ${formatDollars(refund.amount)} (${shares}, ${formatDollars(refund.taxes)} taxes). The server sends it within seconds.${refund.isWhole ? ' Nobody earns anything more from this order.' : ''}`;
  },
  adjust: runAdjustCommand,
  payout: runPayoutCommand,
  policy: runPolicyCommand,
  step: async (db, { words: [id, action = ''], flags }) =>
    takeOperatorStep(createContext(db), {
      id: await readSteppableId(db, id),
      action,
      reason: flags.reason,
      words: flags.words,
      liable: flags.liable,
      place: parsePlace(flags.latitude, flags.longitude),
      operator: await findOperator(db, flags.as),
    }),
  preset: runPresetCommand,
  messages: async (db) => {
    const messages = await listGivenUpMessages(db, MAX_LISTED_MESSAGES);
    if (messages.length === 0) return 'No message was given up.';
    return messages
      .map(({ at, kind, channel, email, about, why }) =>
        [`${at.toISOString()}  ${kind} by ${channel} to ${email}, about ${about}`, `  ${why}`].join('\n'),
      )
      .join('\n');
  },
  prices: showPrices,
  price: (db, { words, flags }) => setPriceFrom(db, words, flags.from),
};

async function runAdjustCommand(db: Tx, { words, flags }: CommandArguments): Promise<string> {
  const orderId = await readOrderId(db, words[0], 'adjust');
  const { yes: code, reason = 'ledger:check' } = flags;
  const lines =
    code === undefined
      ? await proposeAdjustment(db, orderId)
      : await adjustOrder(createContext(db), { orderId, reason, setBy: userInfo().username, code });
  if (!lines)
    throw new CommandError(`${code} is not the code of what corrects this order now. Look again: adjust ${orderId}`);
  if (lines.length === 0) return 'Nothing to adjust.';
  const shown = lines.map(({ account, party, amount }) => {
    const side = party === null ? account : `${account} ${party}`;
    return `  ${side.padEnd(54)} ${(amount / 100).toFixed(2).padStart(12)}`;
  });
  const end =
    code === undefined
      ? `Nothing is written yet. To write this entry, add --yes ${codeOfLines(lines)}.`
      : 'This is in the ledger now.';
  return ['Debits are above zero, and credits below:', ...shown, end].join('\n');
}

async function runPayoutCommand(db: Tx, { words: [action, batch = ''], flags }: CommandArguments): Promise<string> {
  if (action === 'run') {
    const { periodEnd, people, cents } = await runPayouts(createContext(db));
    return `${people} payouts, ${formatDollars(cents)} in total, for everything earned before ${periodEnd.toISOString()}.`;
  }
  if (action !== 'send' && action !== 'again')
    throw new CommandError('payout run, payout send, or payout again <batch>');
  // Before a payout counts as sent.
  if (flags.out !== undefined) refuseExisting(flags.out);
  const file =
    action === 'send'
      ? await sendPayouts(createContext(db), csvPayoutMethod)
      : await renderSentBatch(createContext(db), batch, csvPayoutMethod);
  if (!file) return action === 'send' ? 'No payout is due.' : `There is no batch "${batch}".`;
  const path = flags.out ?? file.name;
  const rewrite = `payout again ${file.name.slice(8, -4)}`;
  await writePrivateFile(path, file.text).catch((error: unknown) => {
    throw new CommandError(`${errorMessageOf(error)}. To write the file: ${rewrite} --out <file>`);
  });
  return `${path} is for your bank, and only you can read it. To write it again: ${rewrite} --out <file>`;
}

async function runPolicyCommand(db: Tx, { words: [name, value] }: CommandArguments): Promise<string> {
  if (name === undefined) return (await Promise.all(POLICY_NAMES.map((one) => describePolicy(db, one)))).join('\n');
  if (!isPolicyName(name)) throw new CommandError(`a policy is one of ${POLICY_NAMES.join(', ')}`);
  const values = policyValuesOf(name);
  const chosen = values.find((one) => one === value);
  if (!chosen) throw new CommandError(`${name} is one of ${values.join(', ')}, not "${value ?? ''}"`);
  await setPolicy(db, { name, value: chosen, setBy: userInfo().username }, new Date());
  return `${name} is ${chosen} from now on, on all servers:\n${describeValue(name, chosen)}`;
}

async function runPresetCommand(db: Tx, { words: [word = ''] }: CommandArguments): Promise<string> {
  const preset = PRESETS.find((one) => one === word);
  if (!preset) throw new CommandError(`a preset is one of ${PRESETS.join(', ')}, not "${word}"`);
  await setPreset(db, preset, userInfo().username, new Date());
  return [`The preset ${preset} holds from now on, on all servers:`, await runPolicyCommand(db, NO_ARGUMENTS)].join(
    '\n',
  );
}

const describeValue = <N extends PolicyName>(name: N, value: PolicyValue<N>) =>
  (POLICIES[name][value] as readonly string[]).map((sentence) => `    ${sentence}`).join('\n');

async function describePolicy(db: Tx, name: PolicyName): Promise<string> {
  const current = await readPolicy(db, name, new Date());
  const since = current ? `since ${current.validFrom.toISOString()}, by ${current.setBy}` : 'the default';
  const values = policyValuesOf(name).map((value) => `  ${value}\n${describeValue(name, value)}`);
  return [`${name}: ${current?.value ?? policyValuesOf(name)[0]} (${since})`, ...values].join('\n');
}

async function run(): Promise<void> {
  const [first, ...rest] = process.argv.slice(2);
  if (first === 'case') return runWithDatabase((db) => runCaseCommand(db, rest));
  const text = { type: 'string' } as const;
  const options = {
    liable: text,
    delivery: text,
    reason: text,
    out: text,
    from: text,
    yes: text,
    words: text,
    as: text,
    latitude: text,
    longitude: text,
    help: { type: 'boolean' },
  } as const;
  const { positionals, values } = parseArgs({ allowPositionals: true, options });
  const [name = 'help', ...words] = positionals;
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command || values.help) {
    console.log(HELP);
    if (!command && name !== 'help') throw new CommandError(`there is no command "${name}"`);
    return;
  }
  const { help: _help, ...flags } = values;
  await runWithDatabase((db) => command(db, { words, flags }));
}

async function runWithDatabase(command: (db: Tx) => Promise<string>): Promise<void> {
  const database = await openDatabase(process.env);
  try {
    console.log(await command(database.db));
  } finally {
    await database.close();
  }
}

run().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(`rubadub operator: ${describeError(error)}`);
    process.exit(1);
  },
);
