import { csvPayoutMethod, renderSentBatch, runPayouts, sendPayouts } from '../payments/payouts.ts';
import { formatDollars } from './amounts.ts';
import { type CommandContext, type CommandResult, runCommandAct } from './commandAct.ts';
import { CommandError } from './commandError.ts';

/** A file that the machine of whoever typed the command writes. */
export type CommandFile = {
  readonly name: string;
  readonly text: string;
  /** The command that makes it again. */
  readonly again: string;
};
export type PayoutResult = CommandResult & { readonly file?: CommandFile };

/** `payout run`, `payout send` and `payout again <batch>`. */
export async function runPayoutCommand(
  context: CommandContext,
  [action, batch = '']: readonly string[],
  reason: string | undefined,
): Promise<PayoutResult> {
  const act = { action: `payout ${action}`, cap: 'money', reason } as const;
  if (action === 'run')
    return runCommandAct(context, act, async (inside) => {
      const { periodEnd, people, cents } = await runPayouts(inside);
      const until = `for everything earned before ${periodEnd.toISOString()}`;
      return { text: `${people} payouts, ${formatDollars(cents)} in total, ${until}.`, cents, details: { people } };
    });
  if (action !== 'send' && action !== 'again')
    throw new CommandError('payout run, payout send, or payout again <batch>');
  return runCommandAct<PayoutResult>(context, { ...act, details: batch ? { batch } : {} }, async (inside) => {
    const file =
      action === 'send'
        ? await sendPayouts(inside, csvPayoutMethod)
        : await renderSentBatch(inside, batch, csvPayoutMethod);
    if (!file) return { text: action === 'send' ? 'No payout is due.' : `There is no batch "${batch}".` };
    const again = `payout again ${file.name.slice(8, -4)}`;
    return { text: '', file: { name: file.name, text: file.text, again }, details: { file: file.name } };
  });
}
