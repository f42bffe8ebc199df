import type { ConsoleContext } from '../operatorContext.ts';

/** The context of a command that is no call of the console. */
export type CommandContext = ConsoleContext & {
  /** The user of the machine who typed it. */
  readonly user: string;
};

/** The commands that are no call of the console. */
export const OTHER_COMMANDS = ['ledger:check', 'tallies:check', 'invite'] as const;
export type OtherCommand = (typeof OTHER_COMMANDS)[number];

/** What such a command prints. A check with problems has failed. */
export type CommandResult = { readonly text: string; readonly problems?: readonly string[] };
