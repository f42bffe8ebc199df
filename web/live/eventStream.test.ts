import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { CURSOR_HEADER, RESUMED_HEADER } from '../../contract/call.ts';
import type { LiveEvent } from '../../contract/events.ts';
import { readEventStream } from './eventStream.ts';
import { isLiveEvent } from './isLiveEvent.ts';

const ORDER = '0192f0c1-7a3b-7c4d-8e5f-0123456789ab';
const AT = '2026-01-05T10:00:00.000Z';
const eventJson = (status: string) => JSON.stringify({ entity: 'order', id: ORDER, status, at: AT });

type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;
let close: (() => void) | undefined;
afterEach(() => close?.());

/** Starts a server that answers each request with the next handler, and reads its stream. */
async function openListener(handlers: RequestHandler[]) {
  const lastIds: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    lastIds.push(request.headers['last-event-id'] as string | undefined);
    handlers[Math.min(lastIds.length, handlers.length) - 1]?.(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const controller = new AbortController();
  const statuses: LiveEvent['status'][] = [];
  const attempts: number[] = [];
  let gaps = 0;
  let notify = () => {};
  const nextEvent = () => new Promise<void>((resolve) => (notify = resolve));
  close = () => {
    controller.abort();
    server.closeAllConnections();
    server.close();
  };
  const done = readEventStream({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`,
    isEvent: isLiveEvent,
    headers: () => ({ authorization: 'Bearer a-token' }),
    onEvent: ({ status }) => {
      statuses.push(status);
      notify();
    },
    onGap: () => {
      gaps += 1;
    },
    waitBeforeRetry: async (attempt) => {
      attempts.push(attempt);
    },
    signal: controller.signal,
  });
  const waitForEvents = async (count: number) => {
    while (statuses.length < count) await nextEvent();
  };
  return { statuses, lastIds, attempts, gaps: () => gaps, waitForEvents, done };
}

const startStream = (response: ServerResponse, isResumed: boolean) =>
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    [RESUMED_HEADER]: isResumed ? 'yes' : 'no',
    [CURSOR_HEADER]: '7-0',
  });

test('a lost connection resumes after the last event, without another gap', async () => {
  const listener = await openListener([
    (request, response) => {
      expect(request.headers.authorization).toBe('Bearer a-token');
      startStream(response, false).end(`: welcome\n\nid: 7-1\ndata: ${eventJson('Requested')}\n\n`);
    },
    (_request, response) => startStream(response, true).write(`id: 7-2\ndata: ${eventJson('Accepted')}\n\n`),
  ]);
  await listener.waitForEvents(2);
  expect(listener.statuses).toEqual(['Requested', 'Accepted']);
  expect(listener.lastIds).toEqual([undefined, '7-1']);
  expect(listener.gaps()).toBe(1);
});

test('a connection lost before the first event resumes at the start of the stream', async () => {
  const listener = await openListener([
    (_request, response) => startStream(response, false).end(': welcome\n\n'),
    (_request, response) => startStream(response, true).write(`id: 7-2\ndata: ${eventJson('Accepted')}\n\n`),
  ]);
  await listener.waitForEvents(1);
  expect(listener.lastIds).toEqual([undefined, '7-0']);
});

test('a stream that the server cannot resume is a gap', async () => {
  const listener = await openListener([
    (_request, response) => startStream(response, false).end(`id: 7-1\ndata: ${eventJson('Requested')}\n\n`),
    (_request, response) => startStream(response, false).write(`id: 9-1\ndata: ${eventJson('Completed')}\n\n`),
  ]);
  await listener.waitForEvents(2);
  expect(listener.gaps()).toBe(2);
});

test('an event that arrives in pieces is read, and comments and unknown events are ignored', async () => {
  const listener = await openListener([
    (_request, response) => {
      const text = `: beat\n\nid: 7-1\ndata: {"entity":"weather"}\n\nid: 7-2\ndata: ${eventJson('Accepted')}\n\n`;
      startStream(response, false).write(text.slice(0, 40));
      setImmediate(() => response.write(text.slice(40)));
    },
  ]);
  await listener.waitForEvents(1);
  expect(listener.statuses).toEqual(['Accepted']);
});

test('rejected connections are retried, and each retry counts as another attempt', async () => {
  const refuse: RequestHandler = (_request, response) => response.writeHead(503).end();
  const listener = await openListener([
    refuse,
    refuse,
    (_request, response) => startStream(response, false).write(`id: 7-1\ndata: ${eventJson('Requested')}\n\n`),
  ]);
  await listener.waitForEvents(1);
  expect(listener.attempts).toEqual([1, 2]);
});

test('an invalid token stops the reading and reports a gap', async () => {
  const listener = await openListener([(_request, response) => response.writeHead(401).end()]);
  await listener.done;
  expect(listener.lastIds).toHaveLength(1);
  expect(listener.gaps()).toBe(1);
});
