import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';

export type TextStreamListener = {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** What was received so far: events and comments. */
  readonly blocks: readonly string[];
  /** Resolves when the server has ended the response, or the connection broke. */
  readonly ended: Promise<'ended' | 'broken'>;
  disconnect(): void;
  /** Stops reading, like a client that is overloaded. Call the returned function to resume. */
  pauseReading(): () => void;
};

/** Opens a stream of server-sent events of any kind. `onBlock` is called for each event and comment as it arrives. */
export async function openTextStream(
  url: string,
  headers: Record<string, string>,
  onBlock: (block: string) => void = () => {},
): Promise<TextStreamListener> {
  const clientRequest = request(url, { agent: false, headers });
  clientRequest.end();
  const [response] = (await once(clientRequest, 'response')) as [IncomingMessage];
  clientRequest.on('error', () => undefined);
  const blocks: string[] = [];
  let rest = '';
  response.setEncoding('utf8').on('data', (chunk: string) => {
    const parts = (rest + chunk).split('\n\n');
    rest = parts.pop() ?? '';
    for (const block of parts) {
      blocks.push(block);
      onBlock(block);
    }
  });
  const ended = new Promise<'ended' | 'broken'>((resolve) => {
    response.on('end', () => resolve('ended'));
    response.on('error', () => resolve('broken'));
    response.on('close', () => resolve('broken'));
  });
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    blocks,
    ended,
    disconnect: () => clientRequest.destroy(),
    pauseReading: () => {
      response.pause();
      return () => void response.resume();
    },
  };
}
