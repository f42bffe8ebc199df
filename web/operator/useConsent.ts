import { type AloneRule, AUTO_APPROVAL_AFTER_MS, consentFor } from '../../domain/approvals.ts';
import { useTown } from './townQuery.ts';
import { useTownTime } from './useTownDay.ts';

export type ConsentRule = {
  /** Whether another operator must approve what the form sends. */
  readonly needsApproval?: boolean | undefined;
  readonly alone?: AloneRule | undefined;
};

/** Whether the act of a form happens at once, and what that takes in this town. */
export function useConsent({ needsApproval = false, alone }: ConsentRule): { isAsked: boolean; text?: string } {
  const { data: town } = useTown();
  const townTime = useTownTime();
  const { runsAlone = false, hasOrders = true } = town ?? {};
  const consent = consentFor({ needsApproval, runsAlone, alone, hasOrders });
  if (consent === 'none') return { isAsked: false };
  if (consent === 'code-and-mail')
    return { isAsked: false, text: 'You run the town alone, so it happens at once. A mail tells the town.' };
  if (!runsAlone) return { isAsked: true, text: 'Another operator must approve it.' };
  const ripensAt = townTime(new Date(Date.now() + AUTO_APPROVAL_AFTER_MS).toISOString());
  return {
    isAsked: true,
    text: `You run the town alone, so it happens ${ripensAt}, unless somebody stops it with the link in a mail to the town. A second operator can approve it before.`,
  };
}

/** Whether the operator runs the town alone, and whether nobody has ordered yet. */
export function useTownAlone(): { readonly runsAlone: boolean; readonly isNew: boolean } {
  const { data: town } = useTown();
  return { runsAlone: town?.runsAlone === true, isNew: town?.hasOrders === false };
}

/** 'A new price needs a second operator and starts the next day.' */
export function useChangeText(change: string): string {
  const { runsAlone, isNew } = useTownAlone();
  const second = runsAlone ? '' : 'needs a second operator and ';
  return `${change} ${second}${isNew ? 'starts at once, until the first order is placed.' : 'starts the next day.'}`;
}
