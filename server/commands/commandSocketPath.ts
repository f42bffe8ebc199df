import { connect } from 'node:net';
import { join } from 'node:path';

/** Where a server waits for commands. */
export const commandSocketOf = (dataDir: string): string => join(dataDir, 'operator.sock');

/** Where commands are sent that are no calls of the console. */
export const COMMANDS_PATH = '/api/operator/commands';

/** Whether a server waits at a socket. */
export function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const end = (isUp: boolean) => {
      socket.destroy();
      resolve(isUp);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });
}
