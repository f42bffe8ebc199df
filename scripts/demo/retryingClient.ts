import { setTimeout as pause } from 'node:timers/promises';
import { CallFailed, type Client, createClient } from '../../contract/client.ts';

const MAX_ATTEMPTS = 20;
const MAX_WAIT_S = 5;

/** The product's client, for a caller that is quicker than the product lets one address be: it waits as told. */
export function createRetryingClient(host: string, token?: string): Client {
  const api = createClient(host, () => token);
  const calls = Object.entries(api) as [string, (...input: unknown[]) => Promise<unknown>][];
  return Object.fromEntries(
    calls.map(([name, ask]) => [name, (...input: unknown[]) => retryWhenLimited(() => ask(...input))]),
  ) as Client;
}

async function retryWhenLimited<T>(ask: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await ask();
    } catch (error) {
      const wait = error instanceof CallFailed && error.statusCode === 429 ? (error.retryAfter ?? 1) : Infinity;
      if (wait > MAX_WAIT_S || tried === MAX_ATTEMPTS) throw error;
      await pause(wait * 1000);
    }
  }
}
