import type { Role } from '../../domain/accounts.ts';
import type { Need } from '../../domain/needs.ts';
import { type ChosenRow, chooseRow, type Transition } from '../../domain/workflow.ts';
import type { Context } from '../context.ts';
import { type Tx, transactStep } from '../db/database.ts';
import { askForAnswer, type KeyedRequest, keepAnswer } from './requests.ts';

/** Who takes a step: a person, an operator (whose account may be known), or the server. */
export type StepActor =
  | { readonly role: Role; readonly id: string }
  | { readonly role: 'Operator'; readonly id: string | null }
  | { readonly role: 'System'; readonly id: null };
export const SYSTEM = { role: 'System', id: null } as const;

/**
 * The types of a kind of thing that has steps, like deliveries. `locked` is what its lock has read; `needed` are the facts as the needs
 * of the domain read them.
 */
type Kind = {
  readonly actor: StepActor;
  readonly row: Transition<string, string, string>;
  readonly request: { readonly id: string; readonly action: string; readonly requestKey?: Buffer | null | undefined };
  readonly locked: unknown;
  readonly facts: { readonly status: string };
  readonly needed: object;
  readonly answer: object;
};

/** A request for a step, under the lock of its subject. */
export type Asked<K extends Kind> = {
  readonly actor: K['actor'];
  readonly request: K['request'];
  readonly locked: K['locked'];
};

/** A step that is being taken, with the facts from before it. `at` is not before the last step. */
export type StepTaken<K extends Kind> = {
  readonly actor: K['actor'];
  readonly request: K['request'];
  readonly row: K['row'];
  readonly facts: K['facts'];
  readonly at: Date;
};

/** A step that is written and causes the rest. */
export type StepDone<K extends Kind> = StepTaken<K> & { readonly answer: K['answer'] };

/** The results of an effect that later effects read. */
export type Made = { readonly caseId?: string | undefined };
export type Effect<Done> = (tx: Tx, done: Done, made: Made) => Promise<Made | undefined>;

/** Why no row fits. Without facts, the actor must not know that the subject exists. */
export type Refused<K extends Kind> = {
  readonly actor: K['actor'];
  readonly request: K['request'];
  readonly facts: K['facts'] | undefined;
  readonly now: Date;
  readonly why: Exclude<ChosenRow<K['row']>, { ok: true }>;
};

/** What the engine knows of a kind of thing that has steps. */
export type StepSubject<K extends Kind> = {
  readonly rows: readonly K['row'][];
  readonly needs: Partial<Record<Need, (facts: K['needed']) => boolean>>;
  /** Refuses a body that the rows of the action do not take. */
  readonly checkReport?: (actor: K['actor'], request: K['request']) => void;
  /** Locks the order first, then the subject. The lock may wait for the next statement. */
  readonly lock: (tx: Tx, actor: K['actor'], id: string) => Promise<K['locked']>;
  /** The facts need nothing that the lock has read, so they are read in its round trip. */
  readonly readsFactsWithLock?: true;
  readonly readFacts: (
    tx: Tx,
    asked: Asked<K>,
    now: Date,
  ) => Promise<{ readonly facts: K['facts']; readonly needed: K['needed']; readonly at: Date } | undefined>;
  readonly refuse: (tx: Tx, refused: Refused<K>) => Promise<never>;
  /** Changes the subject if it is as it was read, and writes its history and its events. */
  readonly write: (tx: Tx, taken: StepTaken<K>) => Promise<K['answer']>;
  /** The causes of a row, in their order. */
  readonly effects: readonly Effect<StepDone<K>>[];
  /** Throws the refusal for a constraint at which another transaction was faster. Without a refusal, the error is thrown. */
  readonly explain?: (error: unknown, request: K['request']) => void;
  readonly wakes: (request: K['request']) => Parameters<Context['wake']>;
};

/** A step as the request of an actor, which comes again with the same key. */
export const keyedStep = (actor: { readonly id: string | null }, request: Kind['request']): KeyedRequest => ({
  ...{ actorId: actor.id, requestKey: request.requestKey, call: request.action, subjectId: request.id },
});

/**
 * Takes a step with all that it causes, in one transaction. A repeated request gets the first answer again. Refuses with the first
 * missing need.
 */
export async function takeStep<K extends Kind>(
  context: Pick<Context, 'db' | 'now' | 'wake'>,
  subject: StepSubject<K>,
  actor: K['actor'],
  request: K['request'],
): Promise<K['answer']> {
  subject.checkReport?.(actor, request);
  const { db, now } = context;
  const answer = await transactStep(db, (tx) => takeStepIn(tx, subject, actor, request, now)).catch(
    (error: unknown) => {
      subject.explain?.(error, request);
      throw error;
    },
  );
  context.wake(...subject.wakes(request));
  return answer;
}

/** The same in the transaction of the caller. The caller checks the body of the request and wakes the workers. */
export async function takeStepIn<K extends Kind>(
  tx: Tx,
  subject: StepSubject<K>,
  actor: K['actor'],
  request: K['request'],
  now: () => Date,
): Promise<K['answer']> {
  const asked = { actor, request, locked: await subject.lock(tx, actor, request.id) };
  const keyed = keyedStep(actor, request);
  const repeated = await askForAnswer<K['answer']>(tx, keyed);
  const chosenWithLock = subject.readsFactsWithLock && (await chooseStep(tx, subject, asked, now()));
  const first = await repeated();
  if (first) return first;
  const chosen = chosenWithLock ?? (await chooseStep(tx, subject, asked, now()));
  if (!chosen.ok) return subject.refuse(tx, chosen);
  const answer = await carryOut(tx, subject, chosen.taken);
  await keepAnswer(tx, keyed, answer, now());
  return answer;
}

/** The step that would be taken. Refuses as `takeStepIn` does, and changes nothing. The caller checks the body of the request. */
export async function checkStepIn<K extends Kind>(
  tx: Tx,
  subject: StepSubject<K>,
  actor: K['actor'],
  request: K['request'],
  now: () => Date,
): Promise<StepTaken<K>> {
  const locked = await subject.lock(tx, actor, request.id);
  const chosen = await chooseStep(tx, subject, { actor, request, locked }, now());
  return chosen.ok ? chosen.taken : subject.refuse(tx, chosen);
}

type NoRow<K extends Kind> = { readonly ok: false } & Refused<K>;

/** Takes the row that fits, if one does. In the transaction of a caller that has the lock: a timer, or the step of an order. */
export async function tryStep<K extends Kind>(
  tx: Tx,
  subject: StepSubject<K>,
  asked: Asked<K>,
  now: Date,
): Promise<{ readonly ok: true; readonly answer: K['answer'] } | NoRow<K>> {
  const chosen = await chooseStep(tx, subject, asked, now);
  return chosen.ok ? { ok: true, answer: await carryOut(tx, subject, chosen.taken) } : chosen;
}

/** Writes a step and what it causes. */
async function carryOut<K extends Kind>(tx: Tx, subject: StepSubject<K>, taken: StepTaken<K>): Promise<K['answer']> {
  const answer = await subject.write(tx, taken);
  const done = { ...taken, answer };
  let made: Made = {};
  for (const effect of subject.effects) made = (await effect(tx, done, made)) ?? made;
  return answer;
}

/** The row that fits with its facts, or why none does. Changes nothing. */
export async function chooseStep<K extends Kind>(
  tx: Tx,
  subject: StepSubject<K>,
  asked: Asked<K>,
  now: Date,
): Promise<{ readonly ok: true; readonly taken: StepTaken<K> } | NoRow<K>> {
  const { actor, request } = asked;
  const read = await subject.readFacts(tx, asked, now);
  const refused = { ok: false, actor, request, now, facts: read?.facts } as const;
  if (!read) return { ...refused, why: { ok: false, why: 'wrong-role' } };
  const { facts, needed, at } = read;
  const by = { action: request.action, status: facts.status, by: actor.role };
  const chosen = chooseRow(subject.rows, by, subject.needs, needed);
  if (!chosen.ok) return { ...refused, why: chosen };
  return { ok: true, taken: { actor, request, row: chosen.row, facts, at } };
}
