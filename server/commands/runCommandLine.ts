import { CALL_COMMANDS, type CallCommand, type CommandFile, readCall, runCall } from './callCommand.ts';
import { OTHER_COMMANDS, type OtherCommand } from './command.ts';
import { openCommandClient, toCommandError } from './commandClient.ts';
import { CommandError, errorMessageOf } from './commandError.ts';
import { helpOf } from './operatorHelp.ts';
import { refuseExisting, writePrivateFile } from './privateFile.ts';
import { joinNegativeNumbers } from './readOptions.ts';

type Env = Record<string, string | undefined>;

/** Runs what was typed after `npm run operator --`, and returns what to print. */
export async function runCommandLine(typed: readonly string[], env: Env): Promise<string> {
  const [name = 'help', ...rest] = joinNegativeNumbers(typed);
  if (name === 'help' || name === '--help') return helpOf(rest[0]);
  if (rest.includes('--help')) return helpOf(name);
  const command = CALL_COMMANDS.get(name);
  if (command) return runCallCommand(command, rest, env);
  if (!isOther(name)) throw new CommandError(`there is no command "${name}": "npm run operator -- help" shows them`);
  return runOther(name, rest, env);
}

const isOther = (name: string): name is OtherCommand => (OTHER_COMMANDS as readonly string[]).includes(name);

async function runCallCommand(command: CallCommand, rest: readonly string[], env: Env): Promise<string> {
  const call = readCall(command, rest);
  const { as, out } = call.values as { as?: string; out?: string };
  // Before the command runs.
  if (out !== undefined) refuseExisting(out);
  const client = await openCommandClient(env, as);
  try {
    const result = await runCall(await client.api(), command, call);
    return typeof result === 'string' ? result : await writeCommandFile(result, out);
  } catch (error) {
    throw toCommandError(error);
  } finally {
    await client.close();
  }
}

async function runOther(name: OtherCommand, words: readonly string[], env: Env): Promise<string> {
  const client = await openCommandClient(env, undefined);
  try {
    const { text, problems = [] } = await client.run({ name, words: [...words] });
    if (problems.length > 0) throw new CommandError(problems.join('\n'));
    return text;
  } finally {
    await client.close();
  }
}

async function writeCommandFile({ name, text }: CommandFile, out = name): Promise<string> {
  await writePrivateFile(out, text).catch((error: unknown) => {
    throw new CommandError(`${errorMessageOf(error)}. To write the file: the same with --out <file>`);
  });
  return `${out} is written, and only you can read it.`;
}
