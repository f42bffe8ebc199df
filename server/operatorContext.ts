import type { Answer, Part, RequestOrigin } from '../contract/call.ts';
import type { ActName, OperatorApi, OperatorCallName } from '../contract/operator/api.ts';
import type { OperatorCall } from '../contract/operator/call.ts';
import type { Operator, OperatorId, Permission } from '../domain/operators.ts';
import type { Cents } from '../domain/payments.ts';
import type { Sealer } from './auth/sealing.ts';
import type { Context } from './context.ts';
import type { FileParts } from './files/files.ts';
import type { PhotoAnswer } from './http/photos.ts';

/** The context of console calls. */
export type ConsoleContext = Context & { readonly sealer: Sealer; readonly files: FileParts };

type PhotoCallName = {
  [N in OperatorCallName]: OperatorApi[N] extends { answersFile: 'photo' } ? N : never;
}[OperatorCallName];

export type LiveOperatorSession = {
  readonly id: OperatorId;
  readonly fullname: string;
  readonly email: string;
  readonly caps: readonly Permission[];
  readonly isDemo: boolean;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
  readonly codeAt: Date;
};

/** The authenticated caller, with the session. */
export type SignedInOperator = Operator & { readonly session: LiveOperatorSession & { readonly tokenHash: Buffer } };

/** The input of a handler. Everything in it is validated, except for the user agent. */
export type OperatorInput<C extends OperatorCall> = RequestOrigin & {
  readonly operator: C['permission'] extends 'anyone' ? undefined : SignedInOperator;
  readonly params: Part<C, 'params', 'output'>;
  readonly query: Part<C, 'query', 'output'>;
  readonly body: Part<C, 'body', 'output'>;
};

/** One handler for each call that is not an act. A missing one does not compile. */
export type OperatorHandlers = {
  [N in Exclude<OperatorCallName, ActName>]: (
    input: OperatorInput<OperatorApi[N]>,
  ) => Promise<N extends PhotoCallName ? PhotoAnswer : Answer<OperatorApi[N]>>;
};

/** The input of an act: it runs in the transaction `context.db`. Workers that it wakes are woken after the commit. */
export type ActInput<N extends ActName> = {
  readonly context: ConsoleContext;
  /** The requester. */
  readonly operator: Operator;
  /** Whether a second operator has approved it. */
  readonly isApproved: boolean;
  /** Whether the requester runs the town alone, and nobody has approved it. */
  readonly runsAlone: boolean;
  readonly params: Part<OperatorApi[N], 'params', 'output'>;
  readonly body: Part<OperatorApi[N], 'body', 'output'>;
};

/** The changes of an act, for the audit. */
export type ActResult = {
  /** Changes that are not in the request. */
  readonly details?: object;
  /** The subject, when the path does not name it. */
  readonly subjectId?: string;
};

export type Act<N extends ActName> = {
  /** The money at stake where it is known before: what an act has moved counts for the limits and the audit anyway. */
  readonly cents?: (input: ActInput<N>) => Promise<Cents | null>;
  /** What the second operator should see in addition to the request. */
  readonly about?: (input: ActInput<N>) => Promise<object>;
  /** Refuses what makes no sense, also before another operator is asked for approval. */
  readonly check?: (input: ActInput<N>) => Promise<void>;
  /** Whether another operator must approve it first, where that depends on the request. What stands in for them alone: `ActRule`. */
  readonly needsApproval?: (input: ActInput<N>, cents: Cents | null) => Promise<boolean> | boolean;
  readonly run: (input: ActInput<N>) => Promise<ActResult>;
};

/** One entry for each act of the contract. A missing one does not compile. */
export type Acts = { [N in ActName]: Act<N> };
