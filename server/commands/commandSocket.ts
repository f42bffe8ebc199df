import { chmodSync, rmSync } from 'node:fs';
import type { ConsoleContext } from '../operatorContext.ts';
import { createCommandApp } from './commandApp.ts';
import { errorCodeOf, errorMessageOf } from './commandError.ts';
import { commandSocketOf, isAnswered } from './commandSocketPath.ts';

/**
 * Serves `npm run operator` while the server runs: on a Unix socket in the data directory, which only the user of the server can
 * open. Returns what closes it. Where such sockets do not exist, commands work only while the server is stopped.
 */
export async function serveCommandSocket(context: ConsoleContext): Promise<() => Promise<void>> {
  const path = commandSocketOf(context.config.dataDir);
  const nothing = async () => {};
  if (process.platform === 'win32') return nothing;
  // Several servers of one PostgreSQL database may share the folder. One socket is enough.
  if (await isAnswered(path)) return nothing;
  const app = createCommandApp(context);
  try {
    // The socket of a server that was killed.
    rmSync(path, { force: true });
    // Not through a cluster's first process, which would keep the socket of a worker that has ended.
    await app.listen({ path, exclusive: true });
    chmodSync(path, 0o600);
  } catch (error) {
    await app.close();
    context.log.warn({ code: errorCodeOf(error) }, `no commands while the server runs: ${errorMessageOf(error)}`);
    return nothing;
  }
  return () => app.close();
}
