import { Button } from '@mantine/core';
import { CodeField } from './CodeField.tsx';
import { canUsePasskeys } from './passkeys.ts';
import { usePasskeys } from './usePasskeys.ts';
import type { StepUp } from './useStepUp.ts';

type StepUpFieldsProps = { stepUp: StepUp; isSending: boolean; onUsePasskey: () => void };

/** The code of the authenticator app, or a passkey, once the server asks for one of them. */
export function StepUpFields({ stepUp, isSending, onUsePasskey }: StepUpFieldsProps) {
  if (!stepUp.isAsked) return null;
  return (
    <>
      <CodeField value={stepUp.code} onChange={stepUp.setCode} hasFocus />
      <OwnPasskeyButton isSending={isSending} onClick={onUsePasskey} />
    </>
  );
}

/** Only for operators who have a passkey here. */
function OwnPasskeyButton({ isSending, onClick }: { isSending: boolean; onClick: () => void }) {
  const { data } = usePasskeys();
  const hasPasskey = canUsePasskeys() && data?.items.some(({ site }) => site === location.hostname);
  return hasPasskey ? <PasskeyButton isSending={isSending} onClick={onClick} /> : null;
}

/** Goes on with a passkey instead of the code. */
export function PasskeyButton({ isSending, onClick }: { isSending: boolean; onClick: () => void }) {
  return (
    <Button variant="default" disabled={isSending} onClick={onClick}>
      Use a Passkey
    </Button>
  );
}
