import { describeException } from '../problemSteps.ts';

const FOUND_TEXTS: Readonly<Record<string, string>> = {
  'try-again': 'Found again',
  'bring-back': 'Found again, on the way back',
};

/** What the history calls a step that was not planned. The step after a loss is that the laundry was found. */
export const historyLabel = (action: string, before: string | null | undefined): string =>
  (before === 'report-lost' ? FOUND_TEXTS[action] : undefined) ?? describeException(action);
