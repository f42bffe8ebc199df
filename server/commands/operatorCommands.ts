import { checkLedger, checkTallies } from './checks.ts';
import type { CommandContext, CommandResult, OtherCommand } from './command.ts';
import { inviteFirst } from './inviteFirst.ts';

type Command = (context: CommandContext, words: readonly string[]) => Promise<CommandResult>;

const COMMANDS: Readonly<Record<OtherCommand, Command>> = {
  // A statement at a time, so that the town goes on between them: each check is one.
  'ledger:check': ({ db }) => checkLedger(db),
  'tallies:check': ({ db }, [word]) => checkTallies(db, word === 'fix'),
  invite: async (context, [email]) => ({ text: await inviteFirst(context, email) }),
};

/** Runs a command that is no call of the console. */
export function runOperatorCommand(
  context: CommandContext,
  name: OtherCommand,
  words: readonly string[],
): Promise<CommandResult> {
  return COMMANDS[name](context, words);
}
