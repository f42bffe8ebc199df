import type { Permission } from '../../domain/operators.ts';
import type { ConsoleContext } from '../operatorContext.ts';
import { addDemoOperator, type DemoOperator, inviteFirstOperator } from './firstOperators.ts';
import { createInvitation } from './invitations.ts';

/** What the code that starts the server can do with operators. */
export type OperatorTools = {
  /** The context of console calls, for the server of the command line. */
  readonly console: ConsoleContext;
  /** Makes a link with which one person becomes an operator. */
  inviteOperator(invitation: { readonly email: string; readonly caps: readonly Permission[] }): Promise<string>;
  /** Makes a link for the first operator. Undefined when there is one. */
  inviteFirstOperator(): Promise<string | undefined>;
  /** Adds the operator of the demo, or changes their password. The account does not work while the demo is off. */
  addDemoOperator(operator: DemoOperator): Promise<void>;
};

export const createOperatorTools = (context: ConsoleContext): OperatorTools => ({
  console: context,
  inviteOperator: (invitation) => createInvitation(context, invitation),
  inviteFirstOperator: () => inviteFirstOperator(context),
  addDemoOperator: (operator) => addDemoOperator(context, operator),
});
