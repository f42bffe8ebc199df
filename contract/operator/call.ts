import { z } from 'zod';
import type { AloneRule } from '../../domain/approvals.ts';
import { type Permission, REASON_MAXIMUM } from '../../domain/operators.ts';
import type { CallShape, Part, PresentParts } from '../call.ts';
import type { Failure } from '../failures.ts';
import { longText, strict, time } from '../fields.ts';

/** What an act is about: the kind of the thing that its audit row names. */
export const AUDIT_SUBJECTS = [
  'town',
  'order',
  'delivery',
  'person',
  'case',
  'operator',
  'payment',
  'approval',
  'dispute',
] as const;
export type AuditSubject = (typeof AUDIT_SUBJECTS)[number];

/** One call of the console. */
export type OperatorCall = CallShape & {
  readonly path: `/operator/${string}`;
  /** Who may call: everyone, every operator, or only operators with this right. */
  readonly permission: 'anyone' | 'operator' | Permission;
  /** Whether the call begins the session of a browser, in its cookie, or ends it. */
  readonly session?: 'begins' | 'ends';
  /** Set on calls that change something: they take a reason, and leave one row in the audit. */
  readonly act?: ActRule;
};

export type ActRule = {
  /** What the act is about. Its id is the `id` of the path; without one the act is about the whole town. */
  readonly subject: AuditSubject;
  /** Whether the operator must have entered a code of the second factor a short while ago. */
  readonly takesCode?: true;
  /**
   * Whether another operator must approve it: always, or depending on the request (`needsApproval` of the act). The others need
   * approval above the limits of refunds.
   */
  readonly approval?: 'always' | 'depends';
  /** How an operator who runs the town alone does it: at once without this, with a new code and a mail to the town. */
  readonly alone?: AloneRule;
};

type NoUnknownKeys<C> = Record<Exclude<keyof C, keyof OperatorCall>, never>;

/** Declares a call of the console that changes nothing, or belongs to signing in. */
export function operatorCall<const C extends OperatorCall>(definition: C & NoUnknownKeys<C>): C {
  return definition;
}

/** What every act answers. */
export const ActAnswer = z
  .object({
    approvalId: z.guid().nullable().describe('set when it was not done yet: another operator must approve it first'),
    ripensAt: time.optional().describe('when it happens by itself, in a town with one operator'),
  })
  .meta({ id: 'ActAnswer' });
export type ActAnswer = z.output<typeof ActAnswer>;

export const reason = longText({ required: 'Say why', name: 'The reason', max: REASON_MAXIMUM });

type ActDefinition = {
  readonly path: `/operator/${string}`;
  readonly permission: Permission;
  readonly act: ActRule;
  readonly params?: z.ZodObject;
  /** Without the reason, which every act takes. */
  readonly body?: z.ZodRawShape;
  readonly failures: readonly Failure[];
  readonly summary: string;
  readonly example?: { readonly params?: object; readonly body?: object };
};

type ActCall<A extends ActDefinition> = Omit<A, 'body'> & {
  readonly method: 'POST';
  readonly status: 200;
  readonly idempotent: true;
  readonly answer: typeof ActAnswer;
  readonly body: z.ZodObject<Omit<NonNullable<A['body']>, never> & { reason: typeof reason }, z.core.$strict>;
};

/** Declares an act: a call that changes something. Its body takes a reason besides what is declared. */
export function act<const A extends ActDefinition>(definition: A): ActCall<A> {
  const { body = {}, failures, ...rest } = definition;
  return {
    ...rest,
    method: 'POST',
    status: 200,
    idempotent: true,
    answer: ActAnswer,
    body: strict({ ...body, reason }),
    // An act that turns out to move money needs a new code, too.
    failures: [...failures, 'waitsForApproval', 'keyReused', 'codeTooOld'],
  } as unknown as ActCall<A>;
}

/** What a client passes to a call of the console. */
export type OperatorClientInput<C extends OperatorCall> = PresentParts<{
  params: Part<C, 'params', 'input'>;
  query: Part<C, 'query', 'input'>;
  body: Part<C, 'body', 'input'>;
}> &
  (C extends { idempotent: true } ? { idempotencyKey?: string } : unknown);
