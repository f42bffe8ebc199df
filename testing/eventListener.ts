import { LiveEvent } from '../contract/events.ts';
import { openTextStream, type TextStreamListener } from './textStream.ts';

export type ReceivedEvent = LiveEvent & { readonly cursor: string; readonly status?: string };

export type EventStreamListener = Omit<TextStreamListener, 'blocks'> & {
  readonly events: ReceivedEvent[];
  /** Lines that are comments. */
  readonly comments: string[];
};

/** Opens an event stream. `onEvent` is called for each event as it arrives. */
export async function listenToEvents(
  host: string,
  token: string | undefined,
  { lastId, onEvent }: { lastId?: string; onEvent?: (event: ReceivedEvent) => void } = {},
): Promise<EventStreamListener> {
  const headers = {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(lastId === undefined ? {} : { 'last-event-id': lastId }),
  };
  const events: ReceivedEvent[] = [];
  const comments: string[] = [];
  const stream = await openTextStream(`${host}/events`, headers, (block) => {
    if (block.startsWith(':')) return void comments.push(block);
    const event = readEvent(block);
    events.push(event);
    onEvent?.(event);
  });
  return { ...stream, events, comments };
}

// Strict on purpose: any other text in the stream fails the test.
function readEvent(block: string): ReceivedEvent {
  const [, cursor = '', data = ''] = /^id: (\d+-\d+)\ndata: (.*)$/.exec(block) ?? [];
  if (cursor === '') throw new Error(`not a valid event: ${block}`);
  return { ...LiveEvent.parse(JSON.parse(data)), cursor };
}
