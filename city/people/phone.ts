import { setTimeout as sleep } from 'node:timers/promises';
import { v4 as newUuid } from 'uuid';
import { CallFailed, Unreachable } from '../../contract/callClient.ts';
import type { Client } from '../../contract/client.ts';
import type { Random } from '../../testing/random.ts';
import type { RunLog } from '../findings.ts';
import type { Figures } from '../report/figures.ts';

/** How a press ended: with an answer, or with a refusal that the server gave. */
export type Outcome<T> =
  | { readonly ok: true; readonly answer: T }
  | { readonly ok: false; readonly status: number; readonly code: string | undefined; readonly message: string };

/** Somebody's phone: the product's client behind a mobile network that loses things. */
export type Phone<Api = Client> = {
  /** Reads something. Undefined when it is not there, or the network is away for too long. */
  read<T>(what: string, about: readonly string[], call: (api: Api) => Promise<T>): Promise<T | undefined>;
  /** Presses a button: sends the same request until an answer arrives, as the app does. */
  press<T>(
    what: string,
    about: readonly string[],
    call: (api: Api, idempotencyKey: string) => Promise<T>,
  ): Promise<Outcome<T>>;
  /** Sends what has no key. Repeated after a lost answer, it may be refused because it was done. */
  send<T>(what: string, about: readonly string[], call: (api: Api) => Promise<T>): Promise<Outcome<T>>;
};

export type PhoneParts = {
  readonly owner: string;
  /** The API's addresses, of the servers that run now. */
  readonly hosts: () => readonly string[];
  readonly random: Random;
  /** The share of requests that never arrive, and of answers that get lost. */
  readonly badNetwork: number;
  readonly clumsiness: number;
  /** Whether hours that have passed at once may have ended the session. */
  readonly mayBeSignedOut?: () => boolean;
  readonly log: RunLog;
  readonly figures: Figures;
};

const TIMEOUT_MS = 30_000;
const RETRY_MS = 150;
/** Long enough for a server that is restarted, and a database that recovers, on a busy machine too. */
const MAX_TRIES = 150;
const INSISTS_FOR_MS = 90_000;
const UNAVAILABLE = 503;

/** `connect` makes the client from what sends its requests: paths below the API's address. */
export function createPhone<Api>(parts: PhoneParts, connect: (send: typeof fetch) => Api): Phone<Api> {
  const { owner, random, log, clumsiness } = parts;
  const api = connect((input, init) => sendOverMobileNetwork(parts, String(input), init));
  return {
    async read(what, about, call) {
      const outcome = await insist(random, () => call(api));
      checkOutcome(parts, what, about, outcome);
      return outcome.ok ? outcome.answer : undefined;
    },
    async press(what, about, call) {
      const key = newUuid();
      const isDoubled = random() < clumsiness;
      const pressOnce = () => insist(random, () => call(api, key));
      // A second finger: the same button at the same time.
      const [outcome, second] = await Promise.all([pressOnce(), isDoubled ? pressOnce() : undefined]);
      for (const one of [outcome, second]) if (one) checkOutcome(parts, what, about, one);
      const taken = second?.ok ? second : outcome;
      log.note(owner, `${what}: ${describeOutcome(taken)}${isDoubled ? ' (pressed twice)' : ''}`, about);
      if (isDoubled && taken.ok) {
        const again = await pressOnce();
        if (!again.ok) {
          const words = `${owner}: ${what}: done, and with the same key afterwards ${describeOutcome(again)}`;
          log.report('the same request has the same answer', words, about);
        }
      }
      return taken;
    },
    async send(what, about, call) {
      const outcome = await insist(random, () => call(api));
      checkOutcome(parts, what, about, outcome);
      log.note(owner, `${what}: ${describeOutcome(outcome)}`, about);
      return outcome;
    },
  };
}

/** Repeats a request until the server has answered it. In the end the last answer counts. */
async function insist<T>(random: Random, call: () => Promise<T>): Promise<Outcome<T>> {
  let lastAnswer: CallFailed | undefined;
  const giveUpAt = performance.now() + INSISTS_FOR_MS;
  for (let tries = 1; ; tries += 1) {
    try {
      return { ok: true, answer: await call() };
    } catch (error) {
      const isLost = error instanceof Unreachable;
      if (!isLost && !(error instanceof CallFailed)) throw error;
      // The last try may be lost by the person's own network.
      if (!isLost) lastAnswer = error;
      const isLater = isLost || error.statusCode === UNAVAILABLE || error.statusCode === 429;
      if (!isLater || (tries >= MAX_TRIES && performance.now() > giveUpAt)) {
        if (!lastAnswer) return { ok: false, status: 0, code: undefined, message: 'no answer came' };
        return { ok: false, status: lastAnswer.statusCode, code: lastAnswer.code, message: lastAnswer.message };
      }
      await sleep(RETRY_MS * (0.5 + random()));
    }
  }
}

/** What is left of an order's money may become less after a screen has said it, and a day off is there when its answer was lost. */
const TOO_LATE = ['At most $', 'You are away on some of these days already'];

function checkOutcome(
  { owner, log, mayBeSignedOut }: PhoneParts,
  what: string,
  about: readonly string[],
  outcome: Outcome<unknown>,
): void {
  if (outcome.ok) return;
  const { status, message } = outcome;
  const words = `${owner}: ${what}: ${status} ${message}`;
  if (status === 0 || status === UNAVAILABLE) log.report('a request is answered in the end', words, about);
  if (status >= 500 && status !== UNAVAILABLE) log.report('no request causes a 5xx', words, about);
  // People send only what the screens send.
  const isTooLate = status === 400 && TOO_LATE.some((words) => message.startsWith(words));
  const isSignedOut = status === 401 && mayBeSignedOut?.() === true;
  if ((status === 400 && !isTooLate) || (status === 401 && !isSignedOut))
    log.report('what the screens send is accepted', words, about);
}

const describeOutcome = (outcome: Outcome<unknown>) => (outcome.ok ? 'done' : `${outcome.status} ${outcome.message}`);

async function sendOverMobileNetwork(parts: PhoneParts, path: string, init?: RequestInit): Promise<Response> {
  const { hosts, random, badNetwork, figures } = parts;
  const all = hosts();
  const host = all[Math.floor(random() * all.length)];
  if (host === undefined) throw new Error('no server is up');
  if (random() < badNetwork) {
    figures.count('requests lost on the way');
    throw new Error('the request was lost');
  }
  const startedAt = performance.now();
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const { status, headers, body } = await send(host + path, { ...init, signal }).catch((error: unknown) => {
    figures.unanswered();
    throw error;
  });
  figures.answered(status, performance.now() - startedAt);
  if (random() < badNetwork) {
    figures.count('answers lost on the way');
    throw new Error('the answer was lost');
  }
  const isEmpty = status === 204 || status === 304;
  return new Response(isEmpty ? null : body, { status, headers });
}

async function send(url: string, init: RequestInit) {
  const response = await fetch(url, init);
  return { status: response.status, headers: response.headers, body: await response.arrayBuffer() };
}
