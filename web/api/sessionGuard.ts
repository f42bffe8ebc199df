import { RefusedHere } from '../ui/errorMessage.ts';
import { readToken } from './client.ts';

const SIGNED_OUT = 'You were signed out before this was sent. Sign in and do it again.';

/** Returns a function that refuses once the session of now has ended on this device, in any of its tabs. */
export function createSessionGuard(): () => void {
  const token = readToken();
  return () => {
    if (token === undefined || readToken() !== token) throw new RefusedHere(SIGNED_OUT);
  };
}
