import type { Answer } from '../../contract/call.ts';
import type { OperatorApi } from '../../contract/operator/api.ts';
import { errorMessageOf } from '../ui/errorMessage.ts';
import { operatorApi } from './operatorApi.ts';

// Loaded with the first use: nobody else needs it.
const loadLibrary = () => import('@simplewebauthn/browser');

/** The browser or the person did not use a passkey. The message is for the person. */
class PasskeyFailed extends Error {}

/** The message of a failed call, or of a passkey that was not used. */
export const passkeyMessageOf = (error: unknown, fallback: string): string =>
  error instanceof PasskeyFailed ? error.message : errorMessageOf(error, fallback);

/** Whether this browser can have passkeys here. Browsers have none for addresses without a name, such as 127.0.0.1. */
export const canUsePasskeys = (): boolean =>
  window.PublicKeyCredential !== undefined && !/^[\d.]+$|^\[/.test(location.hostname);

async function withBrowser<T>(work: (library: Awaited<ReturnType<typeof loadLibrary>>) => Promise<T>): Promise<T> {
  const library = await loadLibrary();
  try {
    return await work(library);
  } catch (error) {
    throw new PasskeyFailed(describe((error as Error).name));
  }
}

/** By the names of the errors in the standard of WebAuthn. */
function describe(name: string): string {
  if (name === 'NotAllowedError' || name === 'AbortError') return 'No passkey was used. You can try again.';
  if (name === 'InvalidStateError') return 'There is a passkey of yours on this device already.';
  return 'This browser could not use a passkey here.';
}

/** Signs in with a password and a passkey. */
export async function signInWithPasskey(body: {
  email: string;
  password: string;
}): Promise<Answer<OperatorApi['operatorSignIn']>> {
  const optionsJSON = await operatorApi.beginPasskeySignIn({ body });
  const passkey = await withBrowser(({ startAuthentication }) => startAuthentication({ optionsJSON }));
  return operatorApi.operatorSignIn({ body: { ...body, passkey } });
}

/** Uses a passkey where a new code is asked for. */
export async function enterPasskey(): Promise<void> {
  const optionsJSON = await operatorApi.beginPasskeyEntry({ body: {} });
  const passkey = await withBrowser(({ startAuthentication }) => startAuthentication({ optionsJSON }));
  await operatorApi.enterPasskey({ body: { passkey } });
}

/** Makes a passkey on a device that the person chooses. */
export async function addPasskey(name: string): Promise<void> {
  const optionsJSON = await operatorApi.beginPasskey({ body: {} });
  const passkey = await withBrowser(({ startRegistration }) => startRegistration({ optionsJSON }));
  await operatorApi.addPasskey({ body: { name, passkey } });
}
