import { formatDollars } from '../../domain/payments.ts';
import { csvPayoutMethod, renderSentBatch, runPayouts } from '../payments/payouts/payouts.ts';
import { type CommandContext, type CommandResult, refuseWithoutOperators, runCommandAct } from './commandAct.ts';
import { CommandError } from './commandError.ts';

/** A file that is written on the machine where the command was typed. */
export type CommandFile = {
  readonly name: string;
  readonly text: string;
  /** The command that creates it again. */
  readonly again: string;
};
export type PayoutResult = CommandResult & { readonly file?: CommandFile };

/** `payout run`, `payout send` and `payout again <batch>`. */
export async function runPayoutCommand(
  context: CommandContext,
  [action, batch = '']: readonly string[],
  reason: string | undefined,
): Promise<PayoutResult> {
  const act = { action: `payout ${action}`, reason } as const;
  if (action === 'run')
    return runCommandAct(context, act, async (inside) => {
      const { periodEnd, people, cents } = await runPayouts(inside);
      const until = `for everything earned before ${periodEnd.toISOString()}`;
      return { text: `${people} payouts, ${formatDollars(cents)} in total, ${until}.`, cents, details: { people } };
    });
  if (action === 'send') return refuseWithoutOperators(context);
  if (action !== 'again') throw new CommandError('payout run, payout send, or payout again <batch>');
  return runCommandAct<PayoutResult>(context, { ...act, details: { batch } }, async (inside) => {
    const file = await renderSentBatch(inside, batch, csvPayoutMethod);
    if (!file) return { text: `There is no batch "${batch}".` };
    return { text: '', file: { ...file, again: `payout again ${batch}` }, details: { file: file.name } };
  });
}
