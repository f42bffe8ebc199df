import { setTimeout as pause } from 'node:timers/promises';
import { CallFailed, type Client, client } from '../../contract/client.ts';

const TRIES = 20;
const LONGEST_WAIT_S = 5;

/** The product's client, for a caller that is quicker than the product lets one address be: it waits as told. */
export function patientClient(host: string, token?: string): Client {
  const api = client(host, () => token);
  const calls = Object.entries(api) as [string, (...input: unknown[]) => Promise<unknown>][];
  return Object.fromEntries(
    calls.map(([name, ask]) => [name, (...input: unknown[]) => insist(() => ask(...input))]),
  ) as Client;
}

async function insist<T>(ask: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await ask();
    } catch (error) {
      const wait = error instanceof CallFailed && error.statusCode === 429 ? (error.retryAfter ?? 1) : Infinity;
      if (wait > LONGEST_WAIT_S || tried === TRIES) throw error;
      await pause(wait * 1000);
    }
  }
}
