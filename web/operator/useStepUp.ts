import { useState } from 'react';
import { CallFailed } from '../../contract/callClient.ts';
import { operatorApi } from './operatorApi.ts';
import { enterPasskey } from './passkeys.ts';

export type SecondFactor = 'code' | 'passkey';

export type StepUp = {
  /** Whether the server has asked for a new second factor. */
  readonly isAsked: boolean;
  readonly code: string;
  readonly setCode: (code: string) => void;
  /** Sends the code or uses a passkey, if one was asked for. */
  readonly confirm: (by: SecondFactor) => Promise<void>;
  /** Asks no longer. */
  readonly cancel: () => void;
  /** Whether a failure says that a new second factor comes first. It is asked for then. */
  readonly isNeededBy: (failure: unknown) => boolean;
};

/** What touches money, rights or passkeys needs a second factor of the last minutes: this asks for one when the server does. */
export function useStepUp(): StepUp {
  const [code, setCode] = useState<string>();
  return {
    isAsked: code !== undefined,
    code: code ?? '',
    setCode,
    confirm: async (by) => {
      if (code === undefined) return;
      if (by === 'passkey') await enterPasskey();
      else await operatorApi.enterCode({ body: { code } });
      setCode(undefined);
    },
    cancel: () => setCode(undefined),
    isNeededBy: (failure) => {
      const isNeeded = failure instanceof CallFailed && failure.code === 'codeTooOld';
      if (isNeeded) setCode('');
      return isNeeded;
    },
  };
}
