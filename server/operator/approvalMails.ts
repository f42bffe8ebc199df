import { OPERATOR_API } from '../../contract/operator/api.ts';
import type { OperatorCall } from '../../contract/operator/call.ts';
import { APPROVAL_RIPENS_AFTER_MS } from '../../domain/approvals.ts';
import type { Cents } from '../../domain/payments.ts';
import { renderAccountMail } from '../notifications/accountMails.ts';
import { queueMail } from '../notifications/outbox.sql.ts';
import { type AskedApproval, listOtherEmails } from './approvals.sql.ts';
import type { ConsoleContext } from './operatorContext.ts';

const HOURS = APPROVAL_RIPENS_AFTER_MS / (60 * 60_000);

const amountOf = (cents: Cents | null) => (cents === null ? '' : ` ($${(cents / 100).toFixed(2)})`);

/** Tells the operators who can decide; in a town with one operator, the address of the town, with a link that stops it. */
export async function queueApprovalMails(context: ConsoleContext, approval: AskedApproval): Promise<void> {
  const { name, operator, cents, body, stopToken } = approval;
  const { summary, cap }: OperatorCall = OPERATOR_API[name];
  const about = [`${operator.fullname} asks for: ${summary}${amountOf(cents)}.`, `The reason: ${body.reason}`];
  if (stopToken !== undefined) {
    const link = `${context.config.publicUrl}/#/operator/stop?token=${stopToken}`;
    const then = `This town has one operator, so it happens by itself after ${HOURS} hours.`;
    return queue(context, [context.config.supportEmail], {
      subject: 'An operator has asked for something that you can stop',
      lines: [...about, `${then} If it should not, stop it.`],
      button: { label: 'Stop it', link },
    });
  }
  const link = `${context.config.publicUrl}/#/operator/approvals`;
  await queue(context, await listOtherEmails(context.db, cap as 'money', operator.id), {
    subject: `${operator.fullname} needs a second yes`,
    lines: about,
    button: { label: 'Look at it', link },
  });
}

/** Tells the address of the town that something has happened by itself. */
export function queueRipenedMail(context: ConsoleContext, words: string): Promise<void> {
  return queue(context, [context.config.supportEmail], {
    subject: 'What your operator asked for has happened',
    lines: [words, 'Nobody has stopped it in time. What it was is in the audit.'],
    button: { label: 'Open the audit', link: `${context.config.publicUrl}/#/operator/audit` },
  });
}

type Content = { subject: string; lines: string[]; button: { label: string; link: string } };

async function queue(
  { db, newId, now, config, wake }: ConsoleContext,
  recipients: readonly string[],
  content: Content,
): Promise<void> {
  const mail = renderAccountMail({ greeting: 'Hello,', ...content }, config);
  for (const recipient of recipients) await queueMail(db, { id: newId(), recipient, ...mail }, now());
  if (recipients.length > 0) wake('mail');
}
