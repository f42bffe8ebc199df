import { reasonsOf } from '../../domain/needs.ts';
import { refuseProperty } from '../http/refusals.ts';

/**
 * The rule for the reason of a step, whoever takes the step: one of the reasons of its action, if the action has a list, and with "other"
 * a message that says what it is.
 */
export function checkReason(
  action: string,
  { reason, words }: { readonly reason?: string | undefined; readonly words?: string | undefined },
): void {
  const reasons = reasonsOf(action);
  if (reasons && !reasons.includes(reason ?? ''))
    refuseProperty('reason', 'isIn', `reason must be one of ${reasons.join(', ')}`);
  if (reason === 'other' && !words) refuseProperty('words', 'isNotEmpty', 'Say in words what it is');
}
