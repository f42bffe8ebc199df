import { describeException } from '../problemSteps.ts';

type Exception = { readonly action: string };

const FOUND_TEXTS: Readonly<Record<string, string>> = {
  'try-again': 'Found again',
  'bring-back': 'Found again, on the way back',
};

/** What the history calls a step that was not planned. The step after a loss is that the laundry was found. */
export function historyLabel(exceptions: readonly Exception[], exception: Exception): string {
  const before = exceptions[exceptions.indexOf(exception) - 1];
  const found = before?.action === 'report-lost' ? FOUND_TEXTS[exception.action] : undefined;
  return found ?? describeException(exception.action);
}
