import type { Answer, Part, RequestOrigin } from '../../contract/call.ts';
import type { ActName, OperatorApi, OperatorCallName } from '../../contract/operator/api.ts';
import type { OperatorCall } from '../../contract/operator/call.ts';
import type { Operator } from '../../domain/operators.ts';
import type { Cents } from '../../domain/payments.ts';
import type { Sealer } from '../auth/sealing.ts';
import type { Context } from '../context.ts';
import type { PhotoAnswer } from '../http/photos.ts';
import type { LiveOperatorSession } from './operators.sql.ts';

/** What the calls of the console need from outside. */
export type ConsoleContext = Context & { readonly sealer: Sealer };

type PhotoCallName = {
  [N in OperatorCallName]: OperatorApi[N] extends { answersPhoto: true } ? N : never;
}[OperatorCallName];

/** Who calls, checked, and with which session. */
export type SignedInOperator = Operator & { readonly session: LiveOperatorSession & { readonly tokenHash: Buffer } };

/** The input of a handler. Everything in it is validated, except for the user agent. */
export type OperatorInput<C extends OperatorCall> = RequestOrigin & {
  readonly operator: C['cap'] extends 'anyone' ? undefined : SignedInOperator;
  readonly params: Part<C, 'params', 'output'>;
  readonly query: Part<C, 'query', 'output'>;
  readonly body: Part<C, 'body', 'output'>;
};

/** One handler for each call that is no act. A missing one does not compile. */
export type OperatorHandlers = {
  [N in Exclude<OperatorCallName, ActName>]: (
    input: OperatorInput<OperatorApi[N]>,
  ) => Promise<N extends PhotoCallName ? PhotoAnswer : Answer<OperatorApi[N]>>;
};

/** The input of an act: it runs in the transaction `context.db`, and may wake workers, which happens after the commit. */
export type ActInput<N extends ActName> = {
  readonly context: ConsoleContext;
  /** Who asked for it. */
  readonly operator: Operator;
  /** Whether a second operator has said yes to it. */
  readonly isApproved: boolean;
  readonly params: Part<OperatorApi[N], 'params', 'output'>;
  readonly body: Part<OperatorApi[N], 'body', 'output'>;
};

/** What an act has changed, for the audit. */
export type ActResult = {
  /** What changed, besides what was asked for. */
  readonly details?: object;
  /** The thing that it was about, when the path does not name it. */
  readonly subjectId?: string;
};

export type Act<N extends ActName> = {
  /** The money at stake, for the limits, the list of what waits, and the audit. */
  readonly cents?: (input: ActInput<N>) => Promise<Cents | null>;
  /** What the second operator should see besides what was asked for. */
  readonly about?: (input: ActInput<N>) => Promise<object>;
  /** Whether another operator must say yes before it happens. */
  readonly needsApproval?: (input: ActInput<N>, cents: Cents | null) => Promise<boolean> | boolean;
  readonly run: (input: ActInput<N>) => Promise<ActResult>;
};

/** One entry for each act of the contract. A missing one does not compile. */
export type Acts = { [N in ActName]: Act<N> };
