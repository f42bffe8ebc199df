import { createClient } from '../../../contract/client.ts';
import type { NeighbourOptions } from './neighbours.ts';

type SignInOptions = { readonly apiUrl: string; readonly password: string; readonly send: typeof fetch };

const REQUEST_TIMEOUT_MS = 30_000;

/** Signs neighbours in with the normal call. */
export function createSignIn({ apiUrl, password, send }: SignInOptions): NeighbourOptions['enter'] {
  return async ({ email }, closing) => {
    const sendUntilClosed: typeof fetch = (input, init) =>
      send(input, { ...init, signal: AbortSignal.any([closing, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]) });
    const open = (token?: string) => createClient(apiUrl, () => token, sendUntilClosed);
    const { authToken, user } = await open().login({ body: { email, password } });
    const [home] = user.addresses;
    if (!home) throw new Error(`${email} has no address`);
    return { id: user.id, home, api: open(authToken) };
  };
}
