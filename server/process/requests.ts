import { isSameDigest } from '../auth/secrets.ts';
import type { Tx } from '../db/database.ts';
import { ask, type Late, send } from '../db/driver.ts';
import { refuse } from '../http/refusals.ts';

// The one rule for a request that comes again with its Idempotency-Key: it changes nothing, and gets the first answer.

/** A request that its client may send again. */
export type KeyedRequest = {
  /** Null for the server itself, which sends no keys. */
  readonly actorId: string | null;
  /** The digest of the Idempotency-Key: see requestKeyOf. Without a key nothing is found, and nothing is kept. */
  readonly requestKey: Buffer | null | undefined;
  readonly call: string;
  /** The order, delivery or case of the call; the actor where the call has none. */
  readonly subjectId: string;
  /** The digest of what was sent, for a call that refuses the key with another body. */
  readonly bodyHash?: Buffer;
};

async function askForRequest(tx: Tx, { actorId, requestKey, call, subjectId, bodyHash }: KeyedRequest) {
  if (!actorId || !requestKey) return async () => undefined;
  const rows = await ask(
    tx,
    tx
      .selectFrom('requests')
      .select(['answer', 'body_hash as bodyHash'])
      .where('actor_id', '=', actorId)
      .where('key_hash', '=', requestKey)
      .where('call', '=', call)
      .where('subject_id', '=', subjectId),
  );
  return async () => {
    const [found] = await rows();
    if (found?.bodyHash && !isSameDigest(found.bodyHash, bodyHash ?? Buffer.alloc(0))) refuse('keyReused');
    return found;
  };
}

/**
 * The answer of the first request with the same key; undefined when this is the first. Call it under the lock of the subject.
 * Refuses with `keyReused` when the first request had another body.
 */
export const findAnswer = async <Answer>(tx: Tx, request: KeyedRequest): Promise<Answer | undefined> =>
  (await askForAnswer<Answer>(tx, request))();

/** The same, asked with the next statement of the transaction. */
export async function askForAnswer<Answer>(tx: Tx, request: KeyedRequest): Promise<Late<Answer | undefined>> {
  const found = await askForRequest(tx, request);
  return async () => ((await found())?.answer ?? undefined) as Answer | undefined;
}

/** Whether a request was taken before, for calls whose answer is read again. */
export async function isRepeated(tx: Tx, request: KeyedRequest): Promise<boolean> {
  return (await (await askForRequest(tx, request))()) !== undefined;
}

/** Keeps the answer of a request in the transaction of what it changed; null when a repeat reads its answer again. */
export async function keepAnswer(tx: Tx, request: KeyedRequest, answer: object | null, at: Date): Promise<void> {
  const { actorId: actor_id, requestKey: key_hash, call, subjectId: subject_id, bodyHash: body_hash = null } = request;
  if (!actor_id || !key_hash) return;
  const json = answer && JSON.stringify(answer);
  await send(
    tx,
    tx.insertInto('requests').values({ actor_id, key_hash, call, subject_id, body_hash, answer: json, at }),
  );
}
