import { ACCOUNT_COMMANDS } from './accountCommands.ts';
import type { ApiCommand } from './apiCommand.ts';
import type { CommandArguments } from './commandAct.ts';
import { MESSAGE_COMMANDS } from './messageCommands.ts';
import { MONEY_COMMANDS } from './moneyCommands.ts';
import { TOWN_COMMANDS } from './townCommands.ts';

/** Commands that change nothing and need no operator. */
const isRead = (name: string, [word]: readonly string[]): boolean =>
  ((name === 'policy' || name === 'messages') && word === undefined) ||
  (name === 'case' && word !== 'decide' && word !== 'close');

/**
 * The console call of a command. It needs `--as`; before there are operators, such a command runs without a call
 * (`operatorCommands.ts`).
 */
export function findApiCommand(
  name: string,
  { words }: Pick<CommandArguments, 'words'>,
  as: string | undefined,
): ApiCommand | undefined {
  const needsOperator = Object.hasOwn(ACCOUNT_COMMANDS, name) && name !== 'invite';
  if ((as === undefined && !needsOperator) || isRead(name, words)) return undefined;
  const commands = { ...ACCOUNT_COMMANDS, ...MESSAGE_COMMANDS, ...MONEY_COMMANDS, ...TOWN_COMMANDS };
  return Object.hasOwn(commands, name) ? commands[name] : undefined;
}
