import type { ActAnswer } from '../../contract/operator/call.ts';
import type { OperatorClient } from '../../contract/operator/client.ts';
import type { CommandArguments } from './commandAct.ts';
import { CommandError } from './commandError.ts';
import type { PayoutResult } from './payoutCommand.ts';

/** A command that is a call of the console. Returns what it prints, and the file that it makes. */
export type ApiCommand = (api: OperatorClient, args: CommandArguments) => Promise<string | PayoutResult>;

export function reasonOf({ reason }: CommandArguments['flags']): string {
  if (!reason?.trim()) throw new CommandError('--reason is missing: it is written into the audit');
  return reason;
}

/** The result of an act, or that another operator must approve it first. */
export const describeAct = ({ approvalId }: ActAnswer, done: string): string =>
  approvalId === null
    ? done
    : `It waits for a second operator, and has not happened yet. They see it with "approvals", and decide with:\napprove ${approvalId} --as <their e-mail> --reason <text>`;
