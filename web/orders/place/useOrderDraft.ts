import { useCallback, useEffect, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { readStored, tabStore, writeStored } from '../../storage/stores.ts';
import { type OrderDraft, parseDraft, resolveStep, type StepNumber } from './orderDraft.ts';

const storageKeyOf = (userId: string) => `rubadub-draft-${userId}`;

/** Replaces the draft that the wizard opens with. */
export function storeDraft(userId: string, draft: OrderDraft): void {
  tabStore.write(storageKeyOf(userId), JSON.stringify(draft));
}

// Per user, because others may sign in on this device.
const lastAddressKeyOf = (userId: string) => `rubadub-last-address-${userId}`;
export const readLastAddress = (userId: string): string | null => readStored(lastAddressKeyOf(userId));
export const storeLastAddress = (userId: string, addressId: string): void =>
  writeStored(lastAddressKeyOf(userId), addressId);

/** A Bud's draft, stored in the tab so that it survives a refresh or an expired session. `forget` removes a placed one. */
export function useOrderDraft(userId: string) {
  const key = storageKeyOf(userId);
  const [draft, setDraft] = useState(() => parseDraft(tabStore.read(key)));
  const change = useCallback(
    (how: (before: OrderDraft) => OrderDraft) =>
      setDraft((before) => {
        const after = how(before);
        if (after !== before) storeDraft(userId, after);
        return after;
      }),
    [userId],
  );
  const forget = useCallback(() => tabStore.write(key, null), [key]);
  return { draft, change, forget };
}

/** The step is in the URL, so that the browser's Back button goes one step back. */
export function useWizardStep(draft: OrderDraft) {
  const [params, setParams] = useSearchParams();
  const navigate = useNavigate();
  const { state } = useLocation();
  const wanted = params.get('step');
  const step = resolveStep(draft, wanted);

  // A step that was requested too early must not open on its own once the steps before it are complete.
  useEffect(() => {
    if (wanted !== null && wanted !== String(step)) setParams({ step: String(step) }, { replace: true });
  }, [wanted, step, setParams]);

  const goNext = () => setParams({ step: String(step + 1) }, { state: { from: step } });
  const goTo = (earlier: StepNumber) => {
    const isJustBehind = (state as { from?: unknown } | null)?.from === earlier;
    if (isJustBehind) navigate(-1);
    else setParams({ step: String(earlier) }, { replace: true });
  };
  return { step, goNext, goTo };
}
