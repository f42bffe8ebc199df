import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { v7 as newId } from 'uuid';
import { expect } from 'vitest';
import type { Context } from '../server/context.ts';
import { runTimers } from '../server/jobs/timers.ts';
import { BASE_ENV, NODE_FLAGS } from '../testing/childProcesses.ts';
import type { TestServer } from '../testing/testServer.ts';
import { WORK_TIMERS } from '../testing/workTimers.ts';

/** What the other process is asked, one question at a time. */
export type Question = { readonly advanceMs: number } | 'run timers';
/** How many timers were due, and what went wrong with them. */
type Answer = { readonly due: number; readonly failures: readonly string[] };

/** A server of random lives, in this process or in another one. */
export type LifeServer = {
  readonly apiUrl: string;
  readonly ask: (question: Question) => Promise<Answer>;
  readonly close: () => Promise<void>;
};

/** Runs the timers of a server that are due. Its own worker may be faster. */
async function runTimersOnce({ server, now }: TestServer): Promise<Answer> {
  const failures: string[] = [];
  const fail = (details: unknown, message = '') => failures.push(`${message} ${inspect(details)}`);
  const log = { info: () => {}, warn: fail, error: fail };
  const due = await runTimers({ db: server.db, now, newId, wake: () => {}, log } as unknown as Context, WORK_TIMERS);
  return { due, failures };
}

/** Does what a server is asked, in the process that it runs in. */
export async function answerQuestion(server: TestServer, question: Question): Promise<Answer> {
  if (question === 'run timers') return runTimersOnce(server);
  server.advanceClock(question.advanceMs);
  return { due: 0, failures: [] };
}

export const asLifeServer = (server: TestServer): LifeServer => ({
  apiUrl: server.apiUrl,
  ask: (question) => answerQuestion(server, question),
  close: server.close,
});

/** Starts a process with a server that shares the database, the stand-ins and the time of `first`. */
export async function launchLifeServer({ databaseUrl, shared }: TestServer): Promise<LifeServer> {
  const child = fork(join(import.meta.dirname, 'lifeServer.ts'), [JSON.stringify({ databaseUrl, shared })], {
    execArgv: NODE_FLAGS,
    env: BASE_ENV,
  });
  const exited = once(child, 'exit');
  const ended = exited.then(([code]) => {
    throw new Error(`the second server ended with ${code}`);
  });
  // Only an answer that is awaited then fails.
  ended.catch(() => {});
  const nextMessage = () => Promise.race([once(child, 'message').then(([message]) => message), ended]);
  const apiUrl = (await nextMessage()) as string;
  return {
    apiUrl,
    ask: async (question) => {
      const answered = nextMessage();
      child.send(question);
      return (await answered) as Answer;
    },
    close: async () => {
      child.disconnect();
      await exited;
    },
  };
}

/** Runs the timers of all servers at the same time until none is due. */
export async function runTimersOfAll(servers: readonly LifeServer[]): Promise<void> {
  for (;;) {
    const answers = await Promise.all(servers.map(({ ask }) => ask('run timers')));
    expect(answers.flatMap(({ failures }) => failures)).toEqual([]);
    if (answers.every(({ due }) => due === 0)) return;
  }
}
