import { type ActName, OPERATOR_API, type OperatorApi } from '../../contract/operator/api.ts';
import type { OperatorCall } from '../../contract/operator/call.ts';
import { AUTO_APPROVAL_AFTER_MS } from '../../domain/approvals.ts';
import type { Cents } from '../../domain/payments.ts';
import { renderAccountMail } from '../notifications/accountMails.ts';
import { queueMail } from '../notifications/outbox.sql.ts';
import type { ConsoleContext } from '../operatorContext.ts';
import { readPublicTown } from '../town/identity.sql.ts';
import { type ApprovalRequest, describeSubject, listOtherEmails, type RequestedApproval } from './approvals.sql.ts';
import { hasOtherOperators } from './operators.sql.ts';

const HOURS = AUTO_APPROVAL_AFTER_MS / (60 * 60_000);

const amountOf = (cents: Cents | null) => (cents === null ? '' : ` ($${(cents / 100).toFixed(2)})`);

/** Notifies the operators who can approve; in a town with one operator, the address of the town, with a link that stops it. */
export async function queueApprovalMails(context: ConsoleContext, approval: RequestedApproval): Promise<void> {
  const { name, operator, stop } = approval;
  const { permission }: OperatorCall = OPERATOR_API[name];
  const about = await describeRequest(context, 'asks for', approval);
  if (stop) {
    const link = `${context.config.publicUrl}/#/operator/stop?token=${stop.token}`;
    const then = `This town has one operator, so it happens by itself after ${HOURS} hours. A second operator could approve it before.`;
    return queue(context, await listOwners(context), {
      id: stop.mailId,
      subject: 'An operator has asked for something that you can stop',
      lines: [...about, `${then} If it should not, stop it.`],
      button: { label: 'Stop it', link },
    });
  }
  const link = `${context.config.publicUrl}/#/operator/approvals`;
  await queue(context, await listOtherEmails(context.db, permission as 'money', operator.id), {
    subject: 'An operator needs approval',
    lines: about,
    button: { label: 'Look at it', link },
  });
}

/**
 * Where the owner of the town reads mails: the address of the town, and the one that the server was started with. Nobody changes the
 * second one in the console, so a thief of a session cannot have these mails sent to themselves.
 */
async function listOwners(context: MailContext): Promise<readonly string[]> {
  return [...new Set([(await readPublicTown(context)).supportEmail, context.config.supportEmail])];
}

type ActOfOperator = Omit<ApprovalRequest, 'params'>;

/** What an operator asks for or has done, in lines. */
async function describeRequest({ db }: ConsoleContext, verb: 'asks for' | 'has done this', request: ActOfOperator) {
  const { name, operator, cents, body, about } = request;
  const { summary }: OperatorCall = OPERATOR_API[name];
  return [
    `${operator.fullname} ${verb}: ${firstSentenceOf(summary)}${amountOf(cents)}.`,
    ...(await describeSubject(db, request)),
    ...describe(about),
    ...describeBody(body),
    `The reason: ${body.reason}`,
  ];
}

type RuleOf<N extends ActName> = OperatorApi[N]['act'];
type DoneAlone = {
  [N in ActName]: RuleOf<N> extends { approval: string } ? (RuleOf<N> extends { alone: 'waits' } ? never : N) : never;
}[ActName];

const IN_SETTINGS = 'Set it back in Operators & settings.';
const AT_THE_BANK = 'The card network has it. Nothing here calls it back.';

/** How what needs no second operator in a town with one is undone. */
const UNDO: Readonly<Record<DoneAlone, string>> = {
  setUpTown: 'Set it back in Operators & settings, Rules, or Prices & promos.',
  setPrice: 'Set the price again in Prices & promos: “at once” corrects it for orders that are not placed yet.',
  setPromiseCredit: 'Set it back in Hours & windows. Orders that are late until then are paid.',
  addZone: 'End the zone in Zones.',
  drawZone: 'Draw the zone again in Zones.',
  setZonePrices: 'Set the prices again in Zones: “at once” corrects them for orders that are not placed yet.',
  setPolicy: 'Set it back in Rules.',
  setPreset: 'Set it back in Rules.',
  setLimits: IN_SETTINGS,
  setTimeZone: IN_SETTINGS,
  setIdentity: IN_SETTINGS,
  setUsBank: 'Change the account again in Payouts.',
  setIban: 'Change the account again in Payouts.',
  sendPayouts: 'Do not give the file of this batch to the bank.',
  addPromo: 'End the code in Prices & promos.',
  reinstate: 'Suspend them again.',
  extendSuspension: 'Reinstate them.',
  erasePerson: 'Its owner signs in within 14 days and keeps the account.',
  inviteOperator: 'Take the invitation back in Operators & settings.',
  sendDispute: AT_THE_BANK,
  acceptDispute: AT_THE_BANK,
};
const firstSentenceOf = (summary: string) => summary.split('. ')[0];

const MONEY_IS_GONE = 'Money on its way to a card or a worker cannot be called back.';

/** Notifies the address of the town about what needs a second operator elsewhere, or has moved money: this town has one. */
export async function queueDoneAloneMail(context: ConsoleContext, done: ActOfOperator): Promise<void> {
  const { name, operator } = done;
  await queue(context, await listOwners(context), {
    subject: `Your operator has done this: ${firstSentenceOf(OPERATOR_API[name].summary)}`,
    lines: [
      ...(await describeRequest(context, 'has done this', done)),
      'This town has one operator, so nobody else had to approve it.',
      `To undo it: ${(UNDO as Partial<Record<ActName, string>>)[name] ?? MONEY_IS_GONE}`,
      `If it was not ${operator.fullname}: sign out everywhere in the settings of the console, and ask who runs the server to reset the second factor.`,
    ],
    button: { label: 'Open the audit', link: `${context.config.publicUrl}/#/operator/audit` },
  });
}

/** Notifies the address of the town that an act was approved automatically. */
export async function queueAutoApprovedMail(context: ConsoleContext, words: string): Promise<void> {
  await queue(context, await listOwners(context), {
    subject: 'What your operator asked for has happened',
    lines: [words, 'Nobody has stopped it in time. What it was is in the audit.'],
    button: { label: 'Open the audit', link: `${context.config.publicUrl}/#/operator/audit` },
  });
}

/** The body of the request, one line for each property. */
const describeBody = ({ reason: _reason, ...body }: { readonly reason: string }): string[] => describe(body);

const describe = (values: object): string[] =>
  Object.entries(values).map(([name, value]) => `${name}: ${textOf(value)}`);

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  if (typeof value !== 'object' || value === null) return value === null ? 'nothing' : String(value);
  return Object.entries(value)
    .map(([name, inner]) => `${name} ${textOf(inner)}`)
    .join(', ');
}

type MailContext = Pick<ConsoleContext, 'db' | 'newId' | 'now' | 'config' | 'wake'>;
type Content = { id?: string; subject: string; lines: string[]; button: { label: string; link: string } };

async function queue(
  context: MailContext,
  recipients: readonly string[],
  { id = context.newId(), ...content }: Content,
): Promise<void> {
  const { db, newId, now, wake } = context;
  const mail = renderAccountMail({ greeting: 'Hello,', ...content }, await readPublicTown(context));
  for (const [index, recipient] of recipients.entries())
    await queueMail(db, { id: index === 0 ? id : newId(), recipient, ...mail }, now());
  if (recipients.length > 0) wake('mail');
}

/** Notifies the address of the town, and the operator, about a passkey. */
export async function queuePasskeyChangedMail(
  context: MailContext,
  { email, words }: { readonly email: string; readonly words: string },
): Promise<void> {
  const whom = (await hasOtherOperators(context.db)) ? 'another operator' : 'who runs the server';
  await queue(context, [...new Set([...(await listOwners(context)), email])], {
    subject: 'A passkey of the console has changed',
    lines: [words, `If that should not be, ask ${whom} to reset the second factor.`],
    button: { label: 'Open the console', link: `${context.config.publicUrl}/#/operator/settings` },
  });
}

/** Notifies the address of the town, and the person, that someone has become an operator, has left or has other rights. */
export async function queueOperatorsChangedMail(
  context: MailContext,
  { email, words }: { readonly email: string; readonly words: string },
): Promise<void> {
  await queue(context, [...new Set([...(await listOwners(context)), email])], {
    subject: 'The operators of your town have changed',
    lines: [
      words,
      `If that should not be, ${(await hasOtherOperators(context.db)) ? 'talk to the other operators' : 'ask who runs the server'}.`,
    ],
    button: { label: 'Open the console', link: `${context.config.publicUrl}/#/operator/settings` },
  });
}

/** Notifies the address of the town before and after it changes: mails that can stop an act go there. */
export async function queueSupportEmailMail(
  context: MailContext,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  await queue(context, [from, to], {
    subject: 'The address of your town has changed',
    lines: [
      `Mails to {town} go to ${to} now, and no longer to ${from}.`,
      'If that should not be, ask who runs the server.',
    ],
    button: { label: 'Open the console', link: `${context.config.publicUrl}/#/operator/settings` },
  });
}
