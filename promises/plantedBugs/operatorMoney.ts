// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are source code

import type { PlantedBug } from './plantedBug.ts';

const PAYOUTS = 'server/operator/payouts.test.ts';
const RETURNED = 'server/operator/returnedPayouts.test.ts';
const MONEY = 'server/operator/money.test.ts';
const MOVED = 'server/operator/movedMoney.test.ts';
const OPERATORS = 'server/operator/operators.test.ts';

/** Bugs in what operators do with money, and in who has to agree. */
export const OPERATOR_MONEY_BUGS: readonly PlantedBug[] = [
  {
    bug: 'a worker is not asked again for a bank account that another key has encrypted',
    file: 'server/payments/payoutAccounts.ts',
    find: 'stored && sealer.isOwn(stored.sealed) ? viewOf(stored)',
    replace: 'stored ? viewOf(stored)',
    suite: 'server/payments/payoutAccounts.test.ts',
  },
  {
    bug: 'a name begins a formula where spreadsheets separate cells at semicolons',
    file: 'domain/csv.ts',
    find: "(startsFormula(part) ? `'${part}` : part)",
    replace: 'part',
    suite: 'domain/csv.test.ts',
  },
  {
    bug: 'the operator who has asked approves their own request',
    file: 'server/operator/approvals.ts',
    find: "  if (row.askedBy === operator.id) refuse('notYourOwn');",
    replace: '',
    suite: OPERATORS,
  },
  {
    bug: 'the limit of a day is counted per refund',
    file: 'domain/approvals.ts',
    find: 'soFar.day + cents > limits.day',
    replace: 'cents > limits.day',
    suite: MONEY,
  },
  {
    bug: 'two refunds at the same time do not see each other',
    file: 'server/operator/acts.ts',
    find: `  await lockAudit(inside.db);
  const operator = await confirmRights(inside, caller, OPERATOR_API[request.name]);`,
    replace: '  const operator = await confirmRights(inside, caller, OPERATOR_API[request.name]);',
    suite: MONEY,
  },
  {
    bug: 'an act leaves no row in the audit',
    file: 'server/operator/acts.ts',
    find: '  await writeAudit(inside.db, entryOf(inside, operator, { ...request, cents: all, subjectId }, details), sent);',
    replace: '',
    suite: MONEY,
  },
  {
    bug: 'an act leaves two rows in the audit',
    file: 'server/operator/acts.ts',
    find: '  await writeAudit(inside.db, entryOf(inside, operator, { ...request, cents: all, subjectId }, details), sent);',
    replace: `  for (const key of [sent, undefined])
    await writeAudit(inside.db, entryOf(inside, operator, { ...request, cents: all, subjectId }, details), key);`,
    suite: OPERATORS,
  },
  {
    bug: 'what two operators have agreed on leaves two rows in the audit',
    file: 'server/operator/acts.ts',
    find: '  await writeAudit(inside.db, { ...entry, approvedBy: second.id, approvedByName: second.name, approvalId });',
    replace: `  for (const approved of [entry, entry])
    await writeAudit(inside.db, { ...approved, approvedBy: second.id, approvedByName: second.name, approvalId });`,
    suite: MONEY,
  },
  {
    bug: 'what two operators have agreed on counts against the limits of one',
    file: 'server/operator/refundLimits.sql.ts',
    find: ' and a.approval_id is null',
    replace: '',
    suite: MONEY,
  },
  {
    bug: 'a payout batch is not the sum that two operators have seen',
    file: 'server/operator/payouts.ts',
    find: 'if (cents !== toCents(amount)) refuseOtherSum();',
    replace: '',
    suite: MONEY,
  },
  {
    bug: 'a payout comes back twice',
    file: 'server/payments/returnPayout.ts',
    find: "if (payoutStatusAfter('return', payout.state) === undefined)",
    replace: "if (payout.state === 'due')",
    suite: PAYOUTS,
  },
  {
    bug: 'one operator alone says that a payout came back',
    file: 'server/operator/payouts.ts',
    find: `    // Credits the person again.
    needsApproval: () => true,`,
    replace: '',
    suite: PAYOUTS,
  },
  {
    bug: 'a payout that came back is sent to the same account again',
    file: 'server/operator/payouts.ts',
    find: '      await holdPayouts(context, person, operator.id);',
    replace: '',
    suite: PAYOUTS,
  },
  {
    bug: 'a payout that came back stays in the file of its batch',
    file: 'server/payments/payouts.sql.ts',
    find: `    .where('w.batch', '=', batch)
    .where('w.state', '=', 'sent')`,
    replace: "    .where('w.batch', '=', batch)",
    suite: RETURNED,
  },
  {
    bug: 'the hold of a suspension counts as the hold of a payout that came back',
    file: 'server/operator/holds.sql.ts',
    find: "    .where('kind', '=', kind)\n    .where('suspension_id', 'is', null)\n    .where('of_admission', '=', false)\n    .where('lifted_at', 'is', null);",
    replace: "    .where('kind', '=', kind)\n    .where('lifted_at', 'is', null);",
    suite: RETURNED,
  },
  {
    bug: 'a name may have U+FFFF, which no file of a bank can have',
    file: 'domain/texts.ts',
    find: '\\u009f\\p{Noncharacter_Code_Point}]/u',
    replace: '\\u009f]/u',
    suite: 'domain/texts.test.ts',
  },
  {
    bug: 'a stored name makes the file for a bank unreadable',
    file: 'server/payments/iso20022.ts',
    find: ".replaceAll(NOT_EPC, ' ')",
    replace: '',
    suite: 'server/payments/bankFiles.test.ts',
  },
  {
    bug: 'a payout file that is made on Christmas Eve is dated Christmas Day',
    file: 'domain/bankDays.ts',
    find: '!HOLIDAYS[calendar](Number(date.slice(0, 4))).includes(date)',
    replace: 'calendar !== undefined',
    suite: 'domain/bankDays.test.ts',
  },
  {
    bug: 'the counts of a NACHA file leave out the records that say what a payout is for',
    file: 'domain/nacha.ts',
    find: '`8${CREDITS_ONLY}${digits(entries.length, 6)}',
    replace: '`8${CREDITS_ONLY}${digits(transfers.length, 6)}',
    suite: 'server/payments/bankFiles.test.ts',
  },
  {
    bug: 'the table of the rest has people of another file, when their account has changed',
    file: 'server/payments/payoutFile.ts',
    find: '    const [rest, left] = partition(payouts, ({ id }) => !inFiles.has(id));',
    replace: '    const [rest, left] = partition(payouts, ({ account }) => inFiles.size > 0 && account === undefined);',
    suite: RETURNED,
  },
  {
    bug: 'an Idempotency-Key stands for an act, and not for its path and body',
    file: 'server/operator/acts.ts',
    find: 'digest(JSON.stringify([name, params, body]))',
    replace: 'digest(JSON.stringify([name, body.reason, params === undefined]))',
    suite: RETURNED,
  },
  {
    bug: 'a payout that came back is earned twice',
    file: 'server/payments/earnings.sql.ts',
    find: "coalesce(-sum(l.amount) filter (where l.kind not in ('paid-out', 'payout-returned')), 0)",
    replace: "coalesce(-sum(l.amount) filter (where l.kind <> 'paid-out'), 0)",
    suite: PAYOUTS,
  },
  {
    bug: 'the preview of a refund forgets the refunds that are under way',
    file: 'domain/refundPlan.ts',
    find: 'for (const next of underWay) before = withRefundMade(before, next, budId);',
    replace: 'void underWay;',
    suite: 'server/payments/refundPreview.test.ts',
  },
  {
    bug: 'an act that does not say what it moves has no limit',
    file: 'server/operator/acts.ts',
    find: 'if (all !== null && (await isAboveLimits(',
    replace: 'if (cents !== null && all !== null && (await isAboveLimits(',
    suite: MOVED,
  },
  {
    bug: 'what an act gives back to a card is not counted',
    file: 'server/operator/movedMoney.sql.ts',
    find: 'select sum(r.amount + case when',
    replace: 'select sum(0 * r.amount + case when',
    suite: MOVED,
  },
  {
    bug: 'what an act pays a Duber is not counted',
    file: 'server/operator/movedMoney.sql.ts',
    find: "l.account in ('scrub', 'duber')",
    replace: "l.account in ('scrub')",
    suite: MOVED,
  },
  {
    bug: 'ways that the platform will pay are not counted',
    file: 'server/operator/movedMoney.ts',
    find: 'cents + (orderId === before.orderId ? promised : 0)',
    replace: 'cents + (orderId === before.orderId ? 0 * promised : 0)',
    suite: MOVED,
  },
  {
    bug: 'an act that moves money is taken with an old code',
    file: 'server/operator/acts.ts',
    find: "moved.cents > 0 && 'session' in caller",
    replace: "moved.cents < 0 && 'session' in caller",
    suite: MOVED,
  },
  {
    bug: 'an act that was approved moves more than what was approved',
    file: 'server/operator/acts.ts',
    find: 'if (moved.cents > Math.max(approved ?? 0, said ?? 0))',
    replace: 'if (moved.cents > Math.max((approved ?? 0) + 100_000, said ?? 0))',
    suite: MOVED,
  },
];
