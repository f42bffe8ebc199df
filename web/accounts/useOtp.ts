import { useState } from 'react';
import { sendOtpForEmail } from '../../contract/accounts.ts';
import { CallFailed } from '../../contract/client.ts';
import { api } from '../api.ts';
import { validateFields } from '../hooks/useForm.ts';
import { errorMessageOf } from '../ui/errorMessage.ts';

/** A call that hangs must not leave the button turning for good. */
const SEND_TIMEOUT_MS = 20_000;

/** Whether the address as it stands now is the one that has a code. */
export function isCodeSent(sentTo: string, email: string): boolean {
  return sentTo !== '' && sentTo.toLowerCase() === email.trim().toLowerCase();
}

/** Sending the sign-up code. `sentTo` is the address that has one, `heldBy` one that seems to; `failure` says why the last sending did not work. */
export function useOtp(initial: string) {
  const [sentTo, setSentTo] = useState(initial);
  const [isSending, setSending] = useState(false);
  const [failure, setFailure] = useState<string>();
  const [lostFor, setLostFor] = useState('');
  const [heldBy, setHeldBy] = useState('');

  /** Gives what is wrong with the address, if anything; the rest shows by itself. */
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
      // It was the answer that was lost, and not the call: the code lies in the inbox.
      else if (error.statusCode === 429 && isCodeSent(lostFor, email)) setHeldBy(email.trim());
      setFailure(errorMessageOf(error, 'Failed to send OTP. Please try again.'));
    }
    setSending(false);
    return undefined;
  };
  return { sentTo, heldBy, isSending, failure, send };
}
