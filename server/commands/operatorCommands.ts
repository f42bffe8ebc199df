import { validate } from 'uuid';
import { formatDollars } from '../../domain/payments.ts';
import type { Tx } from '../db/database.ts';
import { listUnsentMessages, resendMessages } from '../notifications/outbox.sql.ts';
import { verifyAuditChain } from '../operator/audit.ts';
import { listOperatorAccounts } from '../operator/operators.sql.ts';
import { confirmationCodeOf, proposeAdjustment } from '../payments/ledger/adjustments.ts';
import { adviceFor, listProblems, retryProblem } from '../payments/reconcile/problems.sql.ts';
import { dropRefund } from '../payments/refunds/dropRefund.ts';
import { listCases, runCaseCommand } from './caseCommand.ts';
import { checkLedger, checkTallies } from './checks.ts';
import {
  type CommandArguments,
  type CommandContext,
  type CommandResult,
  refuseWithoutOperators,
  runCommandAct,
} from './commandAct.ts';
import { CommandError } from './commandError.ts';
import { parsePlace } from './flags.ts';
import { inviteFirst } from './inviteFirst.ts';
import { parseResend, RESENT } from './messageCommands.ts';
import { type PayoutResult, runPayoutCommand } from './payoutCommand.ts';
import { runPolicyCommand, runPresetCommand } from './policyCommand.ts';
import { setPriceFrom, showPrices } from './priceCommand.ts';
import { readOrderId, readStepKind, takeOperatorStep } from './stepCommand.ts';

const MAX_LISTED_MESSAGES = 100;
const MAX_LISTED_PROBLEMS = 100;

type Command = (context: CommandContext, args: CommandArguments) => Promise<string | PayoutResult>;

/** What a command prints, and the file that it makes. */
export async function runOperatorCommand(
  context: CommandContext,
  name: string,
  args: CommandArguments,
): Promise<PayoutResult> {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) throw new CommandError(`there is no command "${name}"`);
  const result = await command(context, args);
  return typeof result === 'string' ? { text: result } : result;
}

const notAnId = (command: string, word = '') => `${command} must be an id, not "${word}"`;

const COMMANDS: Record<string, Command> = {
  list: async ({ db }) => {
    const found = [await listOpenProblems(db), await listOpenCases(db)].filter((one) => one !== undefined);
    return found.join('\n\n') || 'Nothing needs a person.';
  },
  retry: async (context, { words, flags }) => {
    // The id of a payment is that of its order.
    const id = await readOrderId(context.db, words[0], notAnId('retry', words[0]));
    const act = { action: 'retry', subject: { kind: 'payment', id }, reason: flags.reason } as const;
    return runCommandAct(context, act, async ({ db, now, wake }) => {
      if (!(await retryProblem(db, id, now()))) throw new CommandError(`no payment or refund ${id} waits for a person`);
      wake('payments');
      return { text: 'The server tries it again within seconds.' };
    });
  },
  drop: async (context, { words, flags }) => {
    const [word = ''] = words;
    if (!validate(word)) throw new CommandError(notAnId('drop', word));
    const id = word.toLowerCase();
    const act = { action: 'drop', subject: { kind: 'payment', id }, reason: flags.reason } as const;
    return runCommandAct(context, act, async ({ db, now }) => {
      if (!(await dropRefund(db, id, now()))) throw new CommandError(`no refund ${id} waits for a person`);
      return { text: 'The refund is dropped. Nothing was refunded to the card.' };
    });
  },
  refund: refuseWithoutOperators,
  adjust: runAdjustCommand,
  payout: (context, { words, flags }) => runPayoutCommand(context, words, flags.reason),
  policy: runPolicyCommand,
  preset: runPresetCommand,
  step: async (context, { words: [word, action = ''], flags }) => {
    const { reason, words, liable, home } = flags;
    const id = await readOrderId(context.db, word);
    const kind = await readStepKind(context.db, id);
    const operator = { role: 'Operator', id: null } as const;
    const why = [reason, words].filter(Boolean).join(': ') || undefined;
    const act = { action: `step ${action}`, subject: { kind, id }, reason: why } as const;
    const place = parsePlace(flags.latitude, flags.longitude);
    return runCommandAct(context, act, async (inside) => {
      const text = await takeOperatorStep(inside, { id, action, reason, words, liable, home, place, operator });
      inside.wake('events');
      return { text };
    });
  },
  case: (context, { rest }) => runCaseCommand(context, rest),
  messages: async (context, { words, flags }) => {
    if (words.length === 0) return describeUnsent(context);
    const ids = parseResend(words);
    const act = { action: 'resendMessages', reason: flags.reason, details: { ids } };
    return runCommandAct(context, act, async ({ db, now, wake }) => {
      const messages = await resendMessages(db, ids, now());
      wake('mail');
      return { text: RESENT, details: { messages } };
    });
  },
  // A statement at a time, so that the town goes on between them: each check is one.
  'ledger:check': ({ db }) => checkLedger(db),
  'tallies:check': ({ db }, { flags }) => checkTallies(db, flags.fix === 'yes'),
  prices: ({ db }) => showPrices(db),
  price: (context, { words, flags }) => {
    const [item, value] = words;
    const details = { item, value, from: flags.from };
    return runCommandAct(context, { action: 'price', reason: flags.reason, details }, async ({ db }) => ({
      text: await setPriceFrom(db, words, { from: flags.from, now: context.now() }),
    }));
  },
  operators: async ({ db }) => {
    const operators = await listOperatorAccounts(db);
    if (operators.length === 0) return 'There are no operators yet: invite <your e-mail>';
    return operators.map(({ fullname, email, caps }) => `${email}  ${fullname}: ${caps.join(', ')}`).join('\n');
  },
  invite: inviteFirst,
  audit: async ({ db }) => {
    const { rows, lastAt, brokenAt } = await verifyAuditChain(db);
    if (brokenAt !== null) throw new CommandError(`row ${brokenAt} of the audit was changed or removed later`);
    return `The audit is whole: ${rows} rows, the last of ${lastAt?.toISOString() ?? 'never'}.`;
  },
};

async function describeUnsent({ db, now }: CommandContext): Promise<string> {
  const messages = await listUnsentMessages(db, MAX_LISTED_MESSAGES, now());
  if (messages.length === 0) return 'Every message was sent.';
  return messages
    .map(({ id, at, kind, channel, email, about, why, nextTryAt, canResend }) =>
      [
        `${at.toISOString()}  ${kind} by ${channel} to ${email}, about ${about}`,
        `  ${why}`,
        `  ${nextTryAt ? `tried again at ${nextTryAt.toISOString()}` : 'given up'}${canResend ? `: messages resend ${id}` : ''}`,
      ].join('\n'),
    )
    .join('\n');
}

async function listOpenCases(db: Tx): Promise<string | undefined> {
  const cases = await listCases(db);
  return cases && `Cases that wait for the town ("case show <number>" tells more):\n${cases}`;
}

async function listOpenProblems(db: Tx): Promise<string | undefined> {
  const problems = await listProblems(db, MAX_LISTED_PROBLEMS + 1);
  if (problems.length === 0) return undefined;
  const lines = problems
    .slice(0, MAX_LISTED_PROBLEMS)
    .map((problem) =>
      [
        `${problem.about} ${problem.id}: ${formatDollars(problem.cents)}, since ${problem.since.toISOString()}`,
        `  order ${[problem.orderNumber, problem.orderId].filter(Boolean).join(' ')} (${problem.orderStatus ?? 'never placed'}), Square's ${problem.squareId ?? 'none'}`,
        `  ${problem.why}`,
        `  ${adviceFor(problem)}`,
      ].join('\n'),
    );
  const more = problems.length > lines.length ? [`There are more: these are the ${MAX_LISTED_PROBLEMS} oldest.`] : [];
  return [...lines, ...more].join('\n\n');
}

async function runAdjustCommand(context: CommandContext, { words, flags }: CommandArguments): Promise<CommandResult> {
  if (flags.yes !== undefined) return refuseWithoutOperators(context);
  const orderId = await readOrderId(context.db, words[0], notAnId('adjust', words[0]));
  const lines = await proposeAdjustment(context.db, orderId);
  return { text: describeAdjustment(lines, confirmationCodeOf(lines)) };
}

type Lines = Awaited<ReturnType<typeof proposeAdjustment>>;

function describeAdjustment(lines: Lines, code: string): string {
  if (lines.length === 0) return 'Nothing to adjust.';
  const shown = lines.map(({ account, party, amount }) => {
    const side = party === null ? account : `${account} ${party}`;
    return `  ${side.padEnd(54)} ${(amount / 100).toFixed(2).padStart(12)}`;
  });
  return [
    'Debits are above zero, and credits below:',
    ...shown,
    `Nothing is written yet. To write this entry, add --yes ${code}.`,
  ].join('\n');
}
