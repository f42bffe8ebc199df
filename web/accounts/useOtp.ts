import { useState } from 'react';
import { sendOtpForEmail } from '../../contract/accounts.ts';
import { api } from '../api.ts';
import { errorsOf } from '../parts/form.ts';
import { messageOf } from '../parts/message.ts';

/** Whether the address as it stands now is the one that has a code. */
export function isCodeSent(sentTo: string, email: string): boolean {
  return sentTo !== '' && sentTo.toLowerCase() === email.trim().toLowerCase();
}

/** Sending the sign-up code. `sentTo` is the address that has one; `failure` says why the last sending did not work. */
export function useOtp(initial: string) {
  const [sentTo, setSentTo] = useState(initial);
  const [isSending, setSending] = useState(false);
  const [failure, setFailure] = useState<string>();

  /** Gives what is wrong with the address, if anything; the rest shows by itself. */
  const send = async (email: string): Promise<string | undefined> => {
    const wrong = errorsOf(sendOtpForEmail.body, { email }).email;
    if (wrong || isSending) return wrong;
    setSending(true);
    setFailure(undefined);
    try {
      await api.sendOtpForEmail({ body: { email } });
      setSentTo(email.trim());
    } catch (error) {
      setFailure(messageOf(error, 'Failed to send OTP. Please try again.'));
    }
    setSending(false);
    return undefined;
  };
  return { sentTo, isSending, failure, send };
}
