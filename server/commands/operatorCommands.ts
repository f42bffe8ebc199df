import { checkLedger, checkTallies } from './checks.ts';
import type { CommandContext, CommandResult } from './command.ts';
import { CommandError } from './commandError.ts';
import { inviteFirst } from './inviteFirst.ts';

type Command = (context: CommandContext, words: readonly string[]) => Promise<CommandResult>;

const COMMANDS: Readonly<Record<string, Command>> = {
  // A statement at a time, so that the town goes on between them: each check is one.
  'ledger:check': ({ db }) => checkLedger(db),
  'tallies:check': ({ db }, [word]) => checkTallies(db, word === 'fix'),
  invite: async (context, [email]) => ({ text: await inviteFirst(context, email) }),
};

/** Runs a command that is no call of the console. */
export function runOperatorCommand(
  context: CommandContext,
  name: string,
  words: readonly string[],
): Promise<CommandResult> {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) throw new CommandError(`there is no command "${name}": "npm run operator -- help" shows them`);
  return command(context, words);
}
