import { v7 as newId } from 'uuid';
import type { Sealer } from '../auth/sealing.ts';
import { readConfig, requireSquare } from '../config/config.ts';
import { openFiles } from '../files/openFiles.ts';
import { createRateLimits } from '../http/rateLimits.ts';
import type { ConsoleContext } from '../operatorContext.ts';
import { createSquareCards } from '../payments/card/square.ts';
import { openDatabase } from './openDatabase.ts';

/** Opens the database for a command while no server runs. The workers of the next server finish open jobs. */
export async function openCommandContext(
  env: Record<string, string | undefined>,
): Promise<{ context: ConsoleContext; close: () => Promise<void> }> {
  const config = readConfig(env);
  const database = await openDatabase(env);
  const now = () => new Date();
  const nothing = () => {};
  const files = openFiles(config);
  const context: ConsoleContext = {
    db: database.db,
    now,
    newId: () => newId(),
    config,
    rateLimits: createRateLimits(database.db, config.rateLimitScale, now),
    cards: createSquareCards(() => requireSquare(config)),
    wake: nothing,
    endStreamsOf: nothing,
    // The command prints errors itself.
    log: { info: nothing, warn: nothing, error: nothing },
    sealer: NO_SEALER,
    files,
  };
  const close = () => files.reencoder.close().finally(database.close);
  return { context, close };
}

/** Only sign-in and joining need the key, and commands do neither. */
const noKey = () => {
  throw new Error('a command needs no key');
};
const NO_SEALER: Sealer = { seal: noKey, unseal: noKey, mark: noKey, isOwn: noKey };
