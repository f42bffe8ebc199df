import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { vi } from 'vitest';
import { LiveEvent } from '../contract/events.ts';

export type ReceivedEvent = LiveEvent & { readonly cursor: string; readonly status?: string };

export type EventStreamListener = {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly events: ReceivedEvent[];
  /** Lines that are comments. */
  readonly comments: string[];
  /** Resolves when the server has ended the answer, or it broke. */
  readonly ended: Promise<'ended' | 'broken'>;
  disconnect(): void;
  /** Stops reading, as a client does that is overwhelmed; the answer reads on. */
  pauseReading(): () => void;
};

/** Opens the stream as a client of our own that reads every byte; `onEvent` is called for each event as it comes. */
export async function listenToEvents(
  host: string,
  token: string | undefined,
  { lastId, onEvent }: { lastId?: string; onEvent?: (event: ReceivedEvent) => void } = {},
): Promise<EventStreamListener> {
  const asked: ClientRequest = request(`${host}/events`, {
    agent: false,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(lastId === undefined ? {} : { 'last-event-id': lastId }),
    },
  });
  asked.end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  asked.on('error', () => undefined);
  const heard: ReceivedEvent[] = [];
  const comments: string[] = [];
  readBlocks(answer, (block) => {
    if (block.startsWith(':')) return void comments.push(block);
    const event = readEvent(block);
    heard.push(event);
    onEvent?.(event);
  });
  const ended = new Promise<'ended' | 'broken'>((resolve) => {
    answer.on('end', () => resolve('ended'));
    answer.on('error', () => resolve('broken'));
    answer.on('close', () => resolve('broken'));
  });
  return {
    status: answer.statusCode ?? 0,
    headers: answer.headers,
    events: heard,
    comments,
    ended,
    disconnect: () => asked.destroy(),
    pauseReading: () => {
      answer.pause();
      return () => void answer.resume();
    },
  };
}

function readBlocks(answer: IncomingMessage, take: (block: string) => void): void {
  let rest = '';
  answer.setEncoding('utf8');
  answer.on('data', (piece: string) => {
    const blocks = (rest + piece).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) take(block);
  });
}

// Strict on purpose: anything else on the wire fails the test that reads it.
function readEvent(block: string): ReceivedEvent {
  const [, cursor = '', data = ''] = /^id: (\d+-\d+)\ndata: (.*)$/.exec(block) ?? [];
  if (cursor === '') throw new Error(`no event of ours: ${block}`);
  return { ...LiveEvent.parse(JSON.parse(data)), cursor };
}

/** Waits until a condition on what was heard holds. */
export function waitUntil(condition: () => boolean, timeout = 10_000): Promise<void> {
  return vi.waitFor(
    () => {
      if (!condition()) throw new Error('not yet');
    },
    { timeout, interval: 5 },
  );
}
