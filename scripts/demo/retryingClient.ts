import { setTimeout as pause } from 'node:timers/promises';
import { CallFailed } from '../../contract/callClient.ts';
import { type Client, createClient } from '../../contract/client.ts';

const MAX_ATTEMPTS = 20;
const MAX_WAIT_S = 5;

/** An API client that waits and retries when it hits a rate limit. */
export function createRetryingClient(apiUrl: string, token?: string, send?: typeof fetch): Client {
  const api = createClient(apiUrl, () => token, send);
  const calls = Object.entries(api) as [string, (...input: unknown[]) => Promise<unknown>][];
  return Object.fromEntries(
    calls.map(([name, call]) => [name, (...input: unknown[]) => retryWhenLimited(() => call(...input))]),
  ) as Client;
}

async function retryWhenLimited<T>(call: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call();
    } catch (error) {
      const seconds = error instanceof CallFailed && error.statusCode === 429 ? (error.retryAfter ?? 1) : Infinity;
      if (seconds > MAX_WAIT_S || attempt === MAX_ATTEMPTS) throw error;
      await pause(seconds * 1000);
    }
  }
}
