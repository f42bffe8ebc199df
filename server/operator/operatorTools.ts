import type { Cap } from '../../domain/operators.ts';
import type { FileParts } from '../files/files.ts';
import { addDemoOperator, type DemoOperator, inviteFirstOperator } from './firstOperators.ts';
import { createInvitation } from './invitations.ts';
import type { ConsoleContext } from './operatorContext.ts';

/** What all calls of the console need. */
export type ConsoleParts = ConsoleContext & { readonly files: FileParts };

/** What the code that starts the server does about operators. */
export type OperatorTools = {
  /** What the calls of the console run with, for a server of commands beside it. */
  readonly console: ConsoleParts;
  /** Makes a link with which one person becomes an operator. */
  inviteOperator(invitation: { readonly email: string; readonly caps: readonly Cap[] }): Promise<string>;
  /** Makes a link for the first operator. Undefined when there is one. */
  inviteFirstOperator(): Promise<string | undefined>;
  /** Adds the operator of the demo, or gives them this password. Nobody is one while the demo is off. */
  addDemoOperator(operator: DemoOperator): Promise<void>;
};

export const createOperatorTools = (context: ConsoleParts): OperatorTools => ({
  console: context,
  inviteOperator: (invitation) => createInvitation(context, invitation),
  inviteFirstOperator: () => inviteFirstOperator(context),
  addDemoOperator: (operator) => addDemoOperator(context, operator),
});
