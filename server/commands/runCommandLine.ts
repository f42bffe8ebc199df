import { parseArgs } from 'node:util';
import { ACCOUNT_COMMANDS } from './accountCommands.ts';
import type { ApiCommand } from './apiCommand.ts';
import type { CommandArguments } from './commandAct.ts';
import { openCommandClient, toCommandError } from './commandClient.ts';
import { CommandError, errorMessageOf } from './commandError.ts';
import { MESSAGE_COMMANDS } from './messageCommands.ts';
import { MONEY_COMMANDS } from './moneyCommands.ts';
import { OPERATOR_HELP } from './operatorHelp.ts';
import type { CommandFile } from './payoutCommand.ts';
import { refuseExisting, writePrivateFile } from './privateFile.ts';
import { joinNegativeNumbers, readOptions } from './readOptions.ts';
import { TOWN_COMMANDS } from './townCommands.ts';

const text = { type: 'string' } as const;
const help = { type: 'boolean' } as const;
const FLAGS = {
  ...{ as: text, reason: text, words: text, liable: text, delivery: text, out: text, from: text, yes: text },
  ...{ latitude: text, longitude: text, rights: text, home: text, help },
} as const;
/** The options of a case may come once for each item; the command parses them. */
const SEVERAL = {
  item: { ...text, multiple: true },
  amount: { ...text, multiple: true },
  liable: { ...text, multiple: true },
} as const;

function readArguments(typed: readonly string[]) {
  const all = joinNegativeNumbers(typed);
  const isCase = all[0] === 'case';
  const options = isCase ? { ...FLAGS, ...SEVERAL } : FLAGS;
  const { positionals, values, tokens } = readOptions(() =>
    parseArgs({ args: all, allowPositionals: true, options, tokens: true }),
  );
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

/** Runs what was typed after `npm run operator --`, and returns what to print. */
export async function runCommandLine(
  typed: readonly string[],
  env: Record<string, string | undefined>,
): Promise<string> {
  const { name, words, flags, rest, isHelp } = readArguments(typed);
  if (isHelp || name === 'help') return OPERATOR_HELP;
  // Before the command runs.
  if (flags.out !== undefined) refuseExisting(flags.out);
  const { as } = flags;
  const client = await openCommandClient(env, as);
  try {
    const call = findApiCommand(name, { words }, as);
    const result = call
      ? await call(await client.api(), { words, flags, rest })
      : await client.run({ name, words, flags, rest });
    if (typeof result === 'string') return result;
    if (result.problems?.length) throw new CommandError(result.problems.join('\n'));
    return result.file ? await writeCommandFile(result.file, flags.out) : result.text;
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

/** Commands that change nothing and need no operator. */
const isRead = (name: string, [word]: readonly string[]): boolean =>
  ((name === 'policy' || name === 'messages') && word === undefined) ||
  (name === 'case' && word !== 'decide' && word !== 'close');

/**
 * The console call of a command. It needs `--as`; before there are operators, such a command runs without a call
 * (`operatorCommands.ts`).
 */
function findApiCommand(
  name: string,
  { words }: Pick<CommandArguments, 'words'>,
  as: string | undefined,
): ApiCommand | undefined {
  const needsOperator = Object.hasOwn(ACCOUNT_COMMANDS, name) && name !== 'invite';
  if ((as === undefined && !needsOperator) || isRead(name, words)) return undefined;
  const commands = { ...ACCOUNT_COMMANDS, ...MESSAGE_COMMANDS, ...MONEY_COMMANDS, ...TOWN_COMMANDS };
  return Object.hasOwn(commands, name) ? commands[name] : undefined;
}
