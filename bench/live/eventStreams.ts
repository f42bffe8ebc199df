import type { Socket } from 'node:net';
import { openTextStream, type StreamTarget } from './textStream.ts';

export type EventStreams = { readonly close: () => void; readonly countOpen: () => number };

const CONCURRENCY = 50;

/** Opens server-sent event streams over plain sockets and calls `onEvent` with the id in each event. */
export async function openEventStreams(
  streams: readonly StreamTarget[],
  onEvent: (id: string) => void,
): Promise<EventStreams> {
  const sockets: Socket[] = [];
  for (let from = 0; from < streams.length; from += CONCURRENCY) {
    const batch = streams.slice(from, from + CONCURRENCY);
    sockets.push(...(await Promise.all(batch.map((stream) => openEventStream(stream, onEvent)))));
  }
  return {
    close: () => {
      for (const socket of sockets) socket.destroy();
    },
    countOpen: () => sockets.filter((socket) => !socket.destroyed).length,
  };
}

const openEventStream = (target: StreamTarget, onEvent: (id: string) => void): Promise<Socket> =>
  openTextStream(target, (events) => {
    for (const [, id = ''] of events.matchAll(/\ndata: \{"entity":"delivery","id":"([\w-]+)"/g)) onEvent(id);
  });
