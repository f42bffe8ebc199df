import { type ActName, OPERATOR_API } from '../../contract/operator/api.ts';
import type { ActAnswer, OperatorCall } from '../../contract/operator/call.ts';
import { consentFor } from '../../domain/approvals.ts';
import { accountIdOf, isMachineUser, type Operator } from '../../domain/operators.ts';
import type { Cents } from '../../domain/payments.ts';
import { digest, requestKeyOf } from '../auth/secrets.ts';
import type { Context } from '../context.ts';
import { violatedConstraint } from '../db/database.ts';
import { refuse } from '../http/refusals.ts';
import { transactWithEffects } from '../jobs/transactWithEffects.ts';
import { readRequestId } from '../log.ts';
import type { Act, ActInput, ActResult, Acts, ConsoleContext, SignedInOperator } from '../operatorContext.ts';
import { findAnswer, keepAnswer } from '../process/requests.ts';
import { hasOrders } from '../town/firstOrder.sql.ts';
import { queueApprovalMails, queueDoneAloneMail } from './approvalMails.ts';
import { requestApproval, runsTownAlone } from './approvals.sql.ts';
import { type AuditEntry, lockAudit, writeAudit } from './audit.sql.ts';
import { type MovedMoney, readBeforeAct, readMovedMoney } from './movedMoney.ts';
import { isAboveLimits } from './refundLimits.ts';
import { confirmRights, isCodeFresh } from './rights.ts';

/** A request for an act, validated. */
export type ActRequest = {
  readonly name: ActName;
  readonly params: object | undefined;
  readonly body: { readonly reason: string };
  /** A repeat with the same key does nothing. */
  readonly idempotencyKey?: string | undefined;
};

type AnyAct = Act<ActName>;
type AnyInput = ActInput<ActName>;
export type Second = { readonly id: string | null; readonly name: string; readonly words: string | null };

type ApprovedAct = {
  readonly operator: Operator;
  readonly request: ActRequest;
  readonly second: Second;
  readonly approvalId: string;
  /** What was approved. */
  readonly cents: Cents | null;
};

/** An act has moved more than its operator may move alone: it is rolled back, and asked for instead. */
class NeedsApproval extends Error {
  readonly cents: Cents;
  constructor(cents: Cents) {
    super('the act needs approval');
    this.cents = cents;
  }
}

/**
 * The only way in which operators change something: in one transaction, with one row in the audit. An act that needs approval is
 * stored instead, with a row in the audit too.
 */
export async function takeAct(
  context: ConsoleContext,
  acts: Acts,
  caller: Operator | SignedInOperator,
  request: ActRequest,
): Promise<ActAnswer> {
  const attempt = (asked: Cents | undefined) =>
    transactWithEffects(context, (inside) => takeOrAsk(inside, acts, caller, request, asked));
  try {
    return await attempt(undefined).catch((error: unknown) => {
      if (error instanceof NeedsApproval) return attempt(error.cents);
      throw error;
    });
  } catch (error) {
    if (violatedConstraint(error) === 'approvals_one_waiting') refuse('waitsForApproval');
    throw error;
  }
}

/** `asked` is what the act has moved in a transaction that was rolled back, because it was too much. */
async function takeOrAsk(
  inside: ConsoleContext,
  acts: Acts,
  caller: Operator | SignedInOperator,
  request: ActRequest,
  asked: Cents | undefined,
): Promise<ActAnswer> {
  const requestKey = requestKeyOf(caller.id, request.idempotencyKey);
  // One call for all acts: a key stands for one act, and not for one act of each kind.
  const keyed = { actorId: caller.id, requestKey, call: 'act', subjectId: caller.id, bodyHash: hashOfRequest(request) };
  await lockAudit(inside.db);
  const operator = await confirmRights(inside, caller, OPERATOR_API[request.name]);
  const before = await findAnswer<ActAnswer>(inside.db, keyed);
  if (before) return before;
  const answer = await takeNewAct(inside, acts, operator, { caller, request, asked });
  await keepAnswer(inside.db, keyed, answer, inside.now());
  return answer;
}

type NewAct = {
  readonly caller: Operator | SignedInOperator;
  readonly request: ActRequest;
  readonly asked: Cents | undefined;
};

async function takeNewAct(
  inside: ConsoleContext,
  acts: Acts,
  operator: Operator,
  { caller, request, asked }: NewAct,
): Promise<ActAnswer> {
  const runsAlone = await runsTownAlone(inside.db, operator, inside.now());
  const { act, input } = prepareAct(inside, acts, operator, request, { isApproved: false, runsAlone });
  const cents = asked ?? (await act.cents?.(input)) ?? null;
  await act.check?.(input);
  const { act: rule }: OperatorCall = OPERATOR_API[request.name];
  const needsApproval = rule?.approval === 'always' || (await act.needsApproval?.(input, cents)) === true;
  const consent = consentFor({
    needsApproval: needsApproval && !isMachineUser(operator),
    ...{ runsAlone, alone: rule?.alone, hasOrders: await hasOrders(inside.db) },
  });
  if (asked !== undefined || consent === 'approval') {
    const about = { ...paramsOf(request), ...(await act.about?.(input)) };
    const approval = await requestApproval(inside, { ...request, ...subjectOf(request), operator, cents, about });
    await queueApprovalMails(inside, approval);
    const entry = { ...request, cents, action: 'ask' as const, approvalId: approval.id };
    await writeAudit(inside.db, entryOf(inside, operator, entry, { ...about, act: request.name }));
    const { id: approvalId, stop } = approval;
    return { approvalId, ...(stop ? { ripensAt: stop.ripensAt.toISOString() } : {}) };
  }
  const { result, moved } = await runAndCount(inside, request, { act, input });
  const all = atStake(cents, moved);
  const takesCode = consent === 'code-and-mail' || moved.cents > 0;
  if (takesCode && 'session' in caller && !isCodeFresh(caller.session, inside.now())) refuse('codeTooOld');
  // What has a rule of its own for an operator who runs the town alone has no limit there.
  const isLimited = all !== null && !isMachineUser(operator) && !(runsAlone && rule?.approval);
  if (isLimited && (await isAboveLimits(inside, { operator, runsAlone, cents: all, moved })))
    throw new NeedsApproval(all);
  const { details = {}, subjectId } = result;
  await writeAudit(inside.db, entryOf(inside, operator, { ...request, cents: all, subjectId }, details));
  if (runsAlone && (consent === 'code-and-mail' || all !== null))
    await queueDoneAloneMail(inside, { ...request, ...subjectOf(request), operator, cents: all, about: details });
  return { approvalId: null };
}

/** Runs an act, and finds out what it has moved, whether or not it says so. */
async function runAndCount(
  { db }: ConsoleContext,
  request: ActRequest,
  { act, input }: Prepared,
): Promise<{ result: ActResult; moved: MovedMoney }> {
  const before = await readBeforeAct(db, subjectOf(request));
  const result = await act.run(input);
  return { result, moved: await readMovedMoney(db, before) };
}

/** What an act says that it puts at stake, and at least what it has moved. */
const atStake = (said: Cents | null, { cents }: MovedMoney): Cents | null =>
  said === null && cents === 0 ? null : Math.max(said ?? 0, cents);

/** Covers the whole request, because an Idempotency-Key identifies one request: one path with one body. */
const hashOfRequest = ({ name, params = {}, body }: ActRequest) => digest(JSON.stringify([name, params, body]));

/** Runs an act that a second operator has approved. Call it after `lockAudit`, in the transaction that ends the approval. */
export async function runApproved(
  inside: ConsoleContext,
  acts: Acts,
  { operator, request, second, approvalId, cents: approved }: ApprovedAct,
): Promise<void> {
  const { act, input } = prepareAct(inside, acts, operator, request, { isApproved: true, runsAlone: false });
  const said = (await act.cents?.(input)) ?? null;
  const { result, moved } = await runAndCount(inside, request, { act, input });
  if (moved.cents > Math.max(approved ?? 0, said ?? 0)) refuse('wrongStatus', { message: MORE_THAN_APPROVED });
  const cents = atStake(said, moved);
  const { details = {}, subjectId } = result;
  const words = second.words === null ? {} : { secondYes: second.words };
  const entry = entryOf(inside, operator, { ...request, cents, subjectId }, { ...details, ...words });
  await writeAudit(inside.db, { ...entry, approvedBy: second.id, approvedByName: second.name, approvalId });
}

const MORE_THAN_APPROVED = 'It would move more money now than what was asked for. Ask for it again';

type Prepared = { readonly act: AnyAct; readonly input: AnyInput };

function prepareAct(
  context: ConsoleContext,
  acts: Acts,
  operator: Operator,
  { name, params, body }: ActRequest,
  by: Pick<AnyInput, 'isApproved' | 'runsAlone'>,
): Prepared {
  const act = acts[name] as unknown as AnyAct;
  return { act, input: { context, operator, ...by, params, body } as unknown as AnyInput };
}

/** The subject of an act: its kind, and the id in the path. */
export function subjectOf({ name, params }: Pick<ActRequest, 'name' | 'params'>) {
  const { act }: OperatorCall = OPERATOR_API[name];
  const { id = null } = (params ?? {}) as { id?: string };
  return { subjectKind: act?.subject ?? 'town', subjectId: id } as const;
}

/** The parameters of the path other than the subject. */
export function paramsOf({ params }: Pick<ActRequest, 'params'>): Readonly<Record<string, unknown>> {
  const { id: _subject, ...others } = (params ?? {}) as Record<string, unknown>;
  return others;
}

type Audited = ActRequest & {
  readonly cents: Cents | null;
  readonly action?: 'ask';
  readonly subjectId?: string | undefined;
  readonly approvalId?: string | null;
};

function entryOf(
  { now }: Pick<Context, 'now'>,
  operator: Operator,
  { name, params, body, cents, action, subjectId, approvalId = null }: Audited,
  changed: object,
): AuditEntry {
  const { reason, ...asked } = body;
  const subject = subjectOf({ name, params });
  return {
    at: now(),
    operatorId: accountIdOf(operator),
    operatorName: operator.fullname,
    action: action ?? name,
    ...subject,
    subjectId: subjectId ?? subject.subjectId,
    reason,
    cents,
    details: JSON.stringify({ ...asked, ...changed }),
    requestId: readRequestId() ?? null,
    approvedBy: null,
    approvedByName: null,
    approvalId,
  };
}
