import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../log.ts';

/** The third party did not answer lately, so the call was not sent, or was given up. */
export class CircuitOpenError extends Error {
  constructor(name: string, why: string) {
    super(`${name} does not answer: ${why}`);
    this.name = 'CircuitOpenError';
  }
}

/** Stands between us and a third party. While that does not answer, the circuit is open and nobody waits for it. */
export type CircuitBreaker = {
  readonly name: string;
  isOpen(): boolean;
  /**
   * Runs a call. Rejects with a CircuitOpenError while the circuit is open. `signal` aborts when the circuit opens
   * while the call waits.
   */
  run<T>(call: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Calls `listener` after the circuit has opened or closed. */
  onChange(listener: (isOpen: boolean) => void): void;
  stop(): void;
};

export type CircuitTimes = {
  /** A call that has waited for so long makes us probe. */
  readonly slowMs: number;
  /** A probe without an answer after so long opens the circuit, and keeps it open. */
  readonly probeMs: number;
  /** How long a call that finds the circuit open waits for its own probe: it may be the first one after a recovery. */
  readonly quickProbeMs: number;
  /** The pause between probes while the circuit is open. */
  readonly probeEveryMs: number;
};

type CircuitOptions = CircuitTimes & {
  readonly name: string;
  /** Sends a request that changes nothing. Any answer resolves it, also an error. Without one it rejects. */
  readonly probe: (signal: AbortSignal) => Promise<void>;
  /** Whether a failed call means that the third party did not answer. */
  readonly isUnanswered: (error: unknown) => boolean;
};

/** How long calls of an open circuit gather for one probe. */
const TOGETHER_MS = 20;

/** Only a probe without an answer opens the circuit, and only an answered one closes it. See docs/decisions/057. */
export function createCircuitBreaker(options: CircuitOptions): CircuitBreaker {
  const { name, probe, isUnanswered, slowMs, probeMs, quickProbeMs, probeEveryMs } = options;
  const life = new AbortController();
  const waiting = new Set<AbortController>();
  const listeners: ((isOpen: boolean) => void)[] = [];
  let isOpen = false;
  let whyUnanswered = '';
  let isInDoubt = false;
  let quickProbe: Promise<boolean> | undefined;

  async function isAnswered(limitMs: number): Promise<boolean> {
    try {
      await probe(AbortSignal.any([life.signal, AbortSignal.timeout(limitMs)]));
      return true;
    } catch (error) {
      whyUnanswered = error instanceof Error ? error.message : String(error);
      return false;
    }
  }

  function change(open: boolean): void {
    if (isOpen === open || life.signal.aborted) return;
    isOpen = open;
    if (open) {
      for (const call of waiting) call.abort(new CircuitOpenError(name, whyUnanswered));
      void probeUntilAnswered();
    }
    for (const listener of listeners) listener(open);
  }

  async function probeUntilAnswered(): Promise<void> {
    while (isOpen && !life.signal.aborted) {
      if (await isAnswered(probeMs)) change(false);
      else await sleep(probeEveryMs, undefined, { signal: life.signal, ref: false }).catch(() => {});
    }
  }

  async function openUnlessAnswered(): Promise<void> {
    if (isInDoubt) return;
    isInDoubt = true;
    if (!(await isAnswered(probeMs))) change(true);
    isInDoubt = false;
  }

  /** Calls that come together share a probe that starts after they came, never an earlier one: that one may hang since before a recovery. */
  function probeForCalls(): Promise<boolean> {
    quickProbe ??= sleep(TOGETHER_MS).then(() => {
      quickProbe = undefined;
      return isAnswered(quickProbeMs);
    });
    return quickProbe;
  }

  return {
    name,
    isOpen: () => isOpen,
    async run(call) {
      if (isOpen) {
        if (await probeForCalls()) change(false);
        if (isOpen) throw new CircuitOpenError(name, whyUnanswered);
      }
      const controller = new AbortController();
      waiting.add(controller);
      const slow = setInterval(openUnlessAnswered, slowMs);
      try {
        return await call(controller.signal);
      } catch (error) {
        if (!isOpen && isUnanswered(error)) void openUnlessAnswered();
        throw error;
      } finally {
        clearInterval(slow);
        waiting.delete(controller);
      }
    },
    onChange: (listener) => void listeners.push(listener),
    stop: () => life.abort(),
  };
}

export function logCircuitChanges(circuit: CircuitBreaker, log: Log): void {
  circuit.onChange((isOpen) => {
    if (isOpen) log.warn({}, `${circuit.name} does not answer: until it does, nobody waits for it`);
    else log.info({}, `${circuit.name} answers again`);
  });
}
