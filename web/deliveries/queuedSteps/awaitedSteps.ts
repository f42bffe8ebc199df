import type { CallOptions } from '../../../contract/callClient.ts';
import { type QueuedStep, removeStep, setStepHidden } from './queuedStepStore.ts';
import type { StepInput } from './takeStep.ts';

/** How long a Duber looks at the button that they have pressed. A step that takes longer is shown as one that waits. */
export const MOMENT_MS = 4_000;

type Outcome = { readonly kind: 'sent' | 'waits' } | { readonly kind: 'lost'; readonly why: string };

/** Takes a step whose photos are files by now. */
type Take = (step: QueuedStep, input: StepInput, options?: CallOptions) => Promise<unknown>;

type AwaitedStep = { readonly take: Take; readonly stopTimer: () => void; readonly end: (outcome: Outcome) => void };

/** The steps that are stored and being sent while their Duber still looks at the button, by the key of their request. */
const awaited = new Map<string, AwaitedStep>();

const findAwaited = ({ requestKey = '' }: QueuedStep) => awaited.get(requestKey);

/** How to take a step that its Duber still waits for: as if it had never been stored. */
export const findTakeOf = (step: QueuedStep): Take | undefined => findAwaited(step)?.take;

/**
 * Waits a moment for what comes of a step that is about to be stored: until then the page shows it as one that is sent directly.
 * `giveUp` ends it earlier.
 */
export function awaitStep(requestKey: string, take: Take): { outcome: Promise<Outcome>; giveUp: () => void } {
  let giveUp = () => {};
  const outcome = new Promise<Outcome>((resolve) => {
    const stopTimer = () => clearTimeout(timer);
    const end = (result: Outcome) => {
      stopTimer();
      awaited.delete(requestKey);
      setStepHidden(requestKey, false);
      resolve(result);
    };
    giveUp = () => end({ kind: 'waits' });
    const timer = setTimeout(giveUp, MOMENT_MS);
    awaited.set(requestKey, { take, stopTimer, end });
    setStepHidden(requestKey, true);
  });
  return { outcome, giveUp };
}

/** Removes a step that was sent or refused while its Duber waits for it, and lets its button say so. Returns whether that is so. */
export async function endAwaitedStep(step: QueuedStep, outcome: Outcome): Promise<boolean> {
  const found = findAwaited(step);
  if (!found) return false;
  found.stopTimer();
  await removeStep(step).finally(() => found.end(outcome));
  return true;
}
