import { existsSync } from 'node:fs';
import { v7 as newId } from 'uuid';
import { loadSealer, type Sealer, sealingKeyFileOf } from '../auth/sealing.ts';
import { type Config, readConfig, requireSquare } from '../config/config.ts';
import { createRateLimits } from '../http/rateLimits.ts';
import type { ConsoleContext } from '../operator/operatorContext.ts';
import { createSquareCards } from '../payments/square.ts';
import { CommandError } from './commandError.ts';
import { openDatabase } from './openDatabase.ts';

/** Opens the database for a command while no server runs. The workers of the next server do what it leaves to do. */
export async function openCommandContext(
  env: Record<string, string | undefined>,
): Promise<{ context: ConsoleContext; close: () => Promise<void> }> {
  const config = readConfig(env);
  const database = await openDatabase(env);
  const now = () => new Date();
  const nothing = () => {};
  const context: ConsoleContext = {
    db: database.db,
    now,
    newId: () => newId(),
    config,
    rateLimits: createRateLimits(database.db, config.rateLimitScale, now),
    cards: createSquareCards(() => requireSquare(config)),
    wake: nothing,
    endStreamsOf: nothing,
    // What is wrong is printed by the command.
    log: { info: nothing, warn: nothing, error: nothing },
    sealer: createLazySealer(config),
  };
  return { context, close: database.close };
}

/** A key is read when it is needed. One that the servers do not have is never made up. */
function createLazySealer(config: Config): Sealer {
  const load = () => {
    if (config.databaseUrl && !config.sealingKey && !existsSync(sealingKeyFileOf(config.dataDir)))
      throw new CommandError('SEALING_KEY is not set: use the key of the servers, or their DATA_DIR');
    return loadSealer(config);
  };
  return { seal: (secret) => load().seal(secret), unseal: (sealed) => load().unseal(sealed) };
}
