import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { waitFor } from '../../testing/waits.ts';
import { type CircuitBreaker, CircuitOpenError, type CircuitTimes, createCircuitBreaker } from './circuitBreaker.ts';

const HOURS = 3_600_000;
/** No time passes in these tests unless a test says so. */
const NEVER: CircuitTimes = { slowMs: HOURS, probeMs: HOURS, quickProbeMs: HOURS, probeEveryMs: HOURS };

/** A third party whose every probe waits until the test answers it. */
function openCircuit(times: Partial<CircuitTimes> = {}) {
  const probes: PromiseWithResolvers<void>[] = [];
  const circuit = createCircuitBreaker({
    ...NEVER,
    ...times,
    name: 'the party',
    isUnanswered: (error) => error === silence,
    probe: (signal) => {
      const probe = Promise.withResolvers<void>();
      signal.addEventListener('abort', () => probe.reject(signal.reason));
      probes.push(probe);
      return probe.promise;
    },
  });
  /** Waits for the next probe that was not taken yet. */
  const nextProbe = () =>
    waitFor(() => {
      const probe = probes.shift();
      if (!probe) throw new Error('there was no probe');
      return probe;
    });
  return { circuit, probes, nextProbe };
}

const silence = new Error('no answer');
const refused = new Error('refused');
const fail = (circuit: CircuitBreaker, error: Error) =>
  expect(circuit.run(() => Promise.reject(error))).rejects.toBe(error);
const untilAborted = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

async function openByFailure({ circuit, nextProbe }: ReturnType<typeof openCircuit>): Promise<void> {
  await fail(circuit, silence);
  (await nextProbe()).reject(new Error('ECONNREFUSED'));
  await waitFor(() => expect(circuit.isOpen()).toBe(true));
}

test('an answer never opens the circuit, no matter how often it is a failure', async () => {
  const { circuit, probes } = openCircuit();
  for (let n = 0; n < 20; n += 1) await fail(circuit, refused);
  expect([circuit.isOpen(), probes.length]).toEqual([false, 0]);
});

test('a call without an answer opens the circuit only if a probe has none either', async () => {
  const party = openCircuit();
  await fail(party.circuit, silence);
  (await party.nextProbe()).resolve();
  await nextTurn();
  await fail(party.circuit, silence);
  const probe = await party.nextProbe();
  expect(party.circuit.isOpen()).toBe(false);
  probe.reject(new Error('ECONNREFUSED'));
  await waitFor(() => expect(party.circuit.isOpen()).toBe(true));
});

test('a call that is only slow gets its answer, as long as probes are answered', async () => {
  const { circuit, nextProbe } = openCircuit({ slowMs: 1 });
  const answer = Promise.withResolvers<string>();
  const call = circuit.run(() => answer.promise);
  for (let n = 0; n < 3; n += 1) (await nextProbe()).resolve();
  answer.resolve('late');
  expect([await call, circuit.isOpen()]).toEqual(['late', false]);
});

test('calls that wait when the circuit opens are ended', async () => {
  const { circuit, nextProbe } = openCircuit({ slowMs: 1 });
  const calls = [1, 2, 3].map(() => circuit.run(untilAborted));
  (await nextProbe()).reject(new Error('ETIMEDOUT'));
  for (const result of await Promise.allSettled(calls)) {
    expect(result).toMatchObject({ reason: new CircuitOpenError('the party', 'ETIMEDOUT') });
  }
});

test('the first call after a recovery goes through, although an older probe still hangs', async () => {
  const party = openCircuit();
  await openByFailure(party);
  const hanging = await party.nextProbe();
  const call = party.circuit.run(async () => 'done');
  (await party.nextProbe()).resolve();
  expect([await call, party.circuit.isOpen()]).toEqual(['done', false]);
  hanging.resolve();
});

test('calls that come at once while the circuit is open share a probe, and are not sent without its answer', async () => {
  const party = openCircuit();
  await openByFailure(party);
  await party.nextProbe();
  let sent = 0;
  const calls = Array.from({ length: 20 }, () =>
    party.circuit.run(async () => {
      sent += 1;
    }),
  );
  (await party.nextProbe()).reject(new Error('ECONNRESET'));
  const results = await Promise.allSettled(calls);
  expect(results.every((result) => result.status === 'rejected')).toBe(true);
  expect([sent, party.probes.length]).toEqual([0, 0]);
});

test('the circuit closes without any call when a probe is answered, and says so', async () => {
  const party = openCircuit({ probeEveryMs: 1 });
  const changes: boolean[] = [];
  party.circuit.onChange((isOpen) => changes.push(isOpen));
  await openByFailure(party);
  (await party.nextProbe()).reject(new Error('ECONNREFUSED'));
  (await party.nextProbe()).resolve();
  await waitFor(() => expect(party.circuit.isOpen()).toBe(false));
  expect(changes).toEqual([true, false]);
});

test('a circuit that is stopped probes no more', async () => {
  const party = openCircuit({ probeEveryMs: 1 });
  await openByFailure(party);
  const last = party.nextProbe();
  party.circuit.stop();
  await expect((await last).promise).rejects.toThrow();
  expect(party.probes).toHaveLength(0);
});
