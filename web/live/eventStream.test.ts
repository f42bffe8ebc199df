import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { CURSOR_HEADER } from '../../contract/call.ts';
import { type LiveEvent, RESUMED_HEADER } from '../../contract/events.ts';
import { readEventStream } from './eventStream.ts';

const ORDER = '0192f0c1-7a3b-7c4d-8e5f-0123456789ab';
const AT = '2026-01-05T10:00:00.000Z';
const eventJson = (status: string) => JSON.stringify({ entity: 'order', id: ORDER, status, at: AT });

type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;
let close: (() => void) | undefined;
afterEach(() => close?.());

/** A server that gives each request the next of `answers`, and a listener on it. */
async function openListener(answers: RequestHandler[]) {
  const lastIds: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    lastIds.push(request.headers['last-event-id'] as string | undefined);
    answers[Math.min(lastIds.length, answers.length) - 1]?.(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const ending = new AbortController();
  const heard: LiveEvent['status'][] = [];
  const tries: number[] = [];
  let gaps = 0;
  let wake = () => {};
  const changed = () => new Promise<void>((resolve) => (wake = resolve));
  close = () => {
    ending.abort();
    server.closeAllConnections();
    server.close();
  };
  const done = readEventStream({
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token: () => 'a-token',
    onEvent: ({ status }) => {
      heard.push(status);
      wake();
    },
    onGap: () => {
      gaps += 1;
    },
    waitBeforeRetry: async (count) => {
      tries.push(count);
    },
    signal: ending.signal,
  });
  const until = async (count: number) => {
    while (heard.length < count) await changed();
  };
  return { heard, lastIds, tries, gaps: () => gaps, until, done };
}

const startStream = (response: ServerResponse, isResumed: boolean) =>
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    [RESUMED_HEADER]: isResumed ? 'yes' : 'no',
    [CURSOR_HEADER]: '7-0',
  });

test('a lost connection is taken up again after the last event, without another gap', async () => {
  const listener = await openListener([
    (request, response) => {
      expect(request.headers.authorization).toBe('Bearer a-token');
      startStream(response, false).end(`: welcome\n\nid: 7-1\ndata: ${eventJson('Requested')}\n\n`);
    },
    (_request, response) => startStream(response, true).write(`id: 7-2\ndata: ${eventJson('Accepted')}\n\n`),
  ]);
  await listener.until(2);
  expect(listener.heard).toEqual(['Requested', 'Accepted']);
  expect(listener.lastIds).toEqual([undefined, '7-1']);
  expect(listener.gaps()).toBe(1);
});

test('a connection lost before the first event is taken up where the stream began', async () => {
  const listener = await openListener([
    (_request, response) => startStream(response, false).end(': welcome\n\n'),
    (_request, response) => startStream(response, true).write(`id: 7-2\ndata: ${eventJson('Accepted')}\n\n`),
  ]);
  await listener.until(1);
  expect(listener.lastIds).toEqual([undefined, '7-0']);
});

test('a stream that could not go on where it was is a gap', async () => {
  const listener = await openListener([
    (_request, response) => startStream(response, false).end(`id: 7-1\ndata: ${eventJson('Requested')}\n\n`),
    (_request, response) => startStream(response, false).write(`id: 9-1\ndata: ${eventJson('Completed')}\n\n`),
  ]);
  await listener.until(2);
  expect(listener.gaps()).toBe(2);
});

test('an event that arrives in pieces is read whole, comments are passed over, and strange ones do no harm', async () => {
  const listener = await openListener([
    (_request, response) => {
      const text = `: beat\n\nid: 7-1\ndata: {"entity":"weather"}\n\nid: 7-2\ndata: ${eventJson('Accepted')}\n\n`;
      startStream(response, false).write(text.slice(0, 40));
      setImmediate(() => response.write(text.slice(40)));
    },
  ]);
  await listener.until(1);
  expect(listener.heard).toEqual(['Accepted']);
});

test('refusals are tried again with growing patience, until the stream flows', async () => {
  const refuse: RequestHandler = (_request, response) => response.writeHead(503).end();
  const listener = await openListener([
    refuse,
    refuse,
    (_request, response) => startStream(response, false).write(`id: 7-1\ndata: ${eventJson('Requested')}\n\n`),
  ]);
  await listener.until(1);
  expect(listener.tries).toEqual([1, 2]);
});

test('a dead token ends the listening, and lets the screens find out', async () => {
  const listener = await openListener([(_request, response) => response.writeHead(401).end()]);
  await listener.done;
  expect(listener.lastIds).toHaveLength(1);
  expect(listener.gaps()).toBe(1);
});
