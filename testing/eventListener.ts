import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { LiveEvent } from '../contract/events.ts';

export type ReceivedEvent = LiveEvent & { readonly cursor: string; readonly status?: string };

export type EventStreamListener = {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly events: ReceivedEvent[];
  /** Lines that are comments. */
  readonly comments: string[];
  /** Resolves when the server has ended the response, or the connection broke. */
  readonly ended: Promise<'ended' | 'broken'>;
  disconnect(): void;
  /** Stops reading, like a client that is overloaded. Call the returned function to resume. */
  pauseReading(): () => void;
};

/** Opens an event stream. `onEvent` is called for each event as it arrives. */
export async function listenToEvents(
  host: string,
  token: string | undefined,
  { lastId, onEvent }: { lastId?: string; onEvent?: (event: ReceivedEvent) => void } = {},
): Promise<EventStreamListener> {
  const clientRequest: ClientRequest = request(`${host}/events`, {
    agent: false,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(lastId === undefined ? {} : { 'last-event-id': lastId }),
    },
  });
  clientRequest.end();
  const [response] = (await once(clientRequest, 'response')) as [IncomingMessage];
  clientRequest.on('error', () => undefined);
  const events: ReceivedEvent[] = [];
  const comments: string[] = [];
  readBlocks(response, (block) => {
    if (block.startsWith(':')) return void comments.push(block);
    const event = readEvent(block);
    events.push(event);
    onEvent?.(event);
  });
  const ended = new Promise<'ended' | 'broken'>((resolve) => {
    response.on('end', () => resolve('ended'));
    response.on('error', () => resolve('broken'));
    response.on('close', () => resolve('broken'));
  });
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    events,
    comments,
    ended,
    disconnect: () => clientRequest.destroy(),
    pauseReading: () => {
      response.pause();
      return () => void response.resume();
    },
  };
}

function readBlocks(response: IncomingMessage, onBlock: (block: string) => void): void {
  let rest = '';
  response.setEncoding('utf8');
  response.on('data', (chunk: string) => {
    const blocks = (rest + chunk).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) onBlock(block);
  });
}

// Strict on purpose: any other text in the stream fails the test.
function readEvent(block: string): ReceivedEvent {
  const [, cursor = '', data = ''] = /^id: (\d+-\d+)\ndata: (.*)$/.exec(block) ?? [];
  if (cursor === '') throw new Error(`not a valid event: ${block}`);
  return { ...LiveEvent.parse(JSON.parse(data)), cursor };
}
