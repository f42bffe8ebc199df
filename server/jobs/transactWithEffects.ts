import type { Context } from '../context.ts';
import { type Tx, transactStep } from '../db/database.ts';

/** Runs `work` in one transaction. Workers and streams are woken only after the commit, so a retry has no earlier effects. */
export async function transactWithEffects<C extends Pick<Context, 'db' | 'wake' | 'endStreamsOf'>, T>(
  context: C,
  work: (inside: C) => Promise<T>,
): Promise<T> {
  let effects: (() => void)[] = [];
  const insideOf = (tx: Tx): C => ({
    ...context,
    db: tx,
    wake: (...work) => effects.push(() => context.wake(...work)),
    endStreamsOf: (userId) => effects.push(() => context.endStreamsOf(userId)),
  });
  const result = await transactStep(context.db, (tx) => {
    effects = [];
    return work(insideOf(tx));
  });
  for (const effect of effects) effect();
  return result;
}
