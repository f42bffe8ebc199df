import { parseArgs } from 'node:util';
import { API_COMMANDS } from './accountCommands.ts';
import { openCommandClient, toCommandError } from './commandClient.ts';
import { CommandError, describeError, errorMessageOf } from './commandError.ts';
import type { CommandFile } from './payoutCommand.ts';
import { refuseExisting, writePrivateFile } from './privateFile.ts';

const HELP = `npm run operator -- <command>

  Works while the server runs, and while it does not. What changes something is written into the audit: say who you are with
  --as <your e-mail as an operator>, and why with --reason <text>. An <order> is its number, like R-1042, or its id.

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
         --latitude <x> --longitude <y>     where the laundry is (relay)
  preset open|careful               decides everything at once: as simple as possible, or as a town with strangers' money should
  operators                         who runs the town, and with which rights
  invite <e-mail> [--rights see,help]   mails a link to become an operator; prints it for the first one
  reset-factor <e-mail>             a new password and second factor for an operator who has lost the phone
  approvals                         what waits for a second operator
  approve <id>, decline <id>        says yes or no to it
  audit                             checks that no row of the audit was changed or removed
  messages                          mails and pushes that could not be sent, newest first, and why
  case list                         cases that wait for a decision of the town, what is urgent first
  case show C-207                   what happened in a case, its items, and what was asked for
  case decide C-207 --reason <text> decides it; an item that is not named gets nothing
         --item 1 --amount 12.50 --liable platform|scrub|duber   once for each item (without items: item 1)
  case close C-207 --reason <text>  closes it without a decision
`;

const text = { type: 'string' } as const;
const help = { type: 'boolean' } as const;
const FLAGS = {
  ...{ as: text, reason: text, words: text, liable: text, delivery: text, out: text, from: text, yes: text },
  ...{ latitude: text, longitude: text, rights: text, help },
} as const;
/** Those of a case may come once for each item, and are read where the command runs. */
const SEVERAL = {
  item: { ...text, multiple: true },
  amount: { ...text, multiple: true },
  liable: { ...text, multiple: true },
} as const;

function readArguments(all: readonly string[]) {
  const isCase = all[0] === 'case';
  const options = isCase ? { ...FLAGS, ...SEVERAL } : FLAGS;
  const { positionals, values, tokens } = parseArgs({ args: [...all], allowPositionals: true, options, tokens: true });
  const [name = 'help', ...words] = positionals;
  const flags = Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
  // Without the operator, who is sent beside the command.
  const rest = all.slice(1).filter((_, index) => !isPartOfAs(tokens, index + 1));
  return { name, words, flags, rest: isCase ? rest : [], isHelp: values.help === true };
}

type Tokens = ReturnType<typeof parseArgs>['tokens'];
const isPartOfAs = (tokens: Tokens, index: number): boolean =>
  tokens?.some(
    (token) =>
      token.kind === 'option' &&
      token.name === 'as' &&
      (token.index === index || (!token.inlineValue && token.index + 1 === index)),
  ) ?? false;

async function run(): Promise<void> {
  const { name, words, flags, rest, isHelp } = readArguments(process.argv.slice(2));
  if (isHelp || name === 'help') return console.log(HELP);
  // Before anything is done.
  if (flags.out !== undefined) refuseExisting(flags.out);
  const { as } = flags;
  const client = await openCommandClient(process.env, as);
  try {
    // The first operators are invited by nobody.
    const isCall = Object.hasOwn(API_COMMANDS, name) && !(name === 'invite' && as === undefined);
    const call = isCall ? API_COMMANDS[name] : undefined;
    if (call) return console.log(await call(await client.api(), { words, flags, rest }));
    const { text: printed, file } = await client.run({ name, words, flags, rest });
    console.log(file ? await writeCommandFile(file, flags.out) : printed);
  } catch (error) {
    throw toCommandError(error);
  } finally {
    await client.close();
  }
}

async function writeCommandFile({ name, text: content, again }: CommandFile, out: string | undefined): Promise<string> {
  const path = out ?? name;
  await writePrivateFile(path, content).catch((error: unknown) => {
    throw new CommandError(`${errorMessageOf(error)}. To write the file: ${again} --out <file>`);
  });
  return `${path} is for your bank, and only you can read it. To write it again: ${again} --out <file>`;
}

run().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(`rubadub operator: ${describeError(error)}`);
    process.exit(1);
  },
);
