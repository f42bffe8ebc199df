import { useState } from 'react';
import { sendOtpForEmail } from '../../contract/accounts.ts';
import { CallFailed } from '../../contract/callClient.ts';
import { normalizeEmail } from '../../domain/accounts.ts';
import { api } from '../api/client.ts';
import { errorMessageOf } from '../ui/errorMessage.ts';
import { validateFields } from '../ui/useForm.ts';

/** A request that hangs must not leave the button loading forever. */
const SEND_TIMEOUT_MS = 20_000;

/** Whether a code was sent to the current address. */
export function isCodeSent(sentTo: string, email: string): boolean {
  return sentTo !== '' && normalizeEmail(sentTo) === normalizeEmail(email);
}

/** Sends the sign-up code. `sentTo` is the address that has one, `heldBy` one that seems to; `failureFor` is why the last attempt for an address failed. */
export function useOtp(initial: string) {
  const [sentTo, setSentTo] = useState(initial);
  const [isSending, setSending] = useState(false);
  const [failure, setFailure] = useState<{ email: string; message: string }>();
  const [lostFor, setLostFor] = useState('');
  const [heldBy, setHeldBy] = useState('');

  /** Returns what is wrong with the address, if anything; other failures are shown here. */
  const send = async (email: string): Promise<string | undefined> => {
    const wrong = validateFields(sendOtpForEmail.body, { email }).email;
    if (wrong || isSending) return wrong;
    setSending(true);
    setFailure(undefined);
    try {
      await api.sendOtpForEmail({ body: { email } }, { signal: AbortSignal.timeout(SEND_TIMEOUT_MS) });
      setSentTo(email.trim());
    } catch (error) {
      if (!(error instanceof CallFailed)) setLostFor(email.trim());
      // Only the answer was lost: the code is in the inbox.
      else if (error.statusCode === 429 && isCodeSent(lostFor, email)) setHeldBy(email.trim());
      setFailure({ email, message: errorMessageOf(error, 'Failed to send OTP. Please try again.') });
    }
    setSending(false);
    return undefined;
  };
  const failureFor = (email: string) => (failure?.email === email ? failure.message : undefined);
  return { sentTo, heldBy, isSending, failureFor, send };
}
