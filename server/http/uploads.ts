import type { FastifyReply, FastifyRequest } from 'fastify';
import { PHOTO_MAX_BYTES } from '../../domain/files.ts';
import { ipNetworkOf } from './rateLimits.ts';
import { refuse } from './refusals.ts';

export type UploadLimits = {
  /** Takes room for a photo before its body is read, by what the session and Content-Length say, or refuses it. */
  admit(request: FastifyRequest, reply: FastifyReply, owner: string): void;
  /** Keeps the room until the work with the photo is done, even when its client leaves before. */
  keepDuring<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T>;
};

/** Of this process. A photo of the app has 400 kB. */
const MAX_BYTES = 64 * 1024 * 1024;
/** One network, which may be that of many people, cannot take all of it by sending slowly. */
const MAX_BYTES_OF_NETWORK = MAX_BYTES / 4;
const RETRY_AFTER_S = 5;

type Room = { isWorkedOn: boolean; readonly release: () => void };

/**
 * Bodies of photos lie in memory from their first byte until they are written again, so they are counted before the first one:
 * one of a person, and a number of bytes of a network and of the process. Each process counts its own: the sum is its memory.
 */
export function createUploadLimits(): UploadLimits {
  const owners = new Set<string>();
  const bytes = countBytes();
  const rooms = new WeakMap<FastifyRequest, Room>();
  return {
    admit(request, reply, owner) {
      const length = readLength(request);
      if (length > PHOTO_MAX_BYTES) refuse('photoTooLarge');
      if (owners.has(owner)) refuse('photoUnderWay', { retryAfter: RETRY_AFTER_S });
      const giveBack = bytes.take(ipNetworkOf(request.ip), length);
      owners.add(owner);
      const release = once(() => {
        owners.delete(owner);
        giveBack();
      });
      rooms.set(request, { isWorkedOn: false, release });
      // The answer is sent, or the client has left.
      reply.raw.once('close', () => {
        if (!rooms.get(request)?.isWorkedOn) release();
      });
    },
    async keepDuring(request, work) {
      const room = rooms.get(request);
      if (room) room.isWorkedOn = true;
      return work().finally(() => room?.release());
    },
  };
}

/** Without a length, a body could be of any size, or never end. */
function readLength({ headers }: FastifyRequest): number {
  const text = headers['content-length'];
  if (text === undefined || headers['transfer-encoding'] !== undefined) refuse('lengthNeeded');
  return Number(text);
}

function countBytes() {
  const ofNetworks = new Map<string, number>();
  let total = 0;
  const change = (network: string, by: number) => {
    const count = (ofNetworks.get(network) ?? 0) + by;
    total += by;
    if (count > 0) ofNetworks.set(network, count);
    else ofNetworks.delete(network);
  };
  return {
    take(network: string, length: number): () => void {
      const isFull = total + length > MAX_BYTES || (ofNetworks.get(network) ?? 0) + length > MAX_BYTES_OF_NETWORK;
      if (isFull) refuse('notReady', { retryAfter: RETRY_AFTER_S });
      change(network, length);
      return () => change(network, -length);
    },
  };
}

function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) work();
    isDone = true;
  };
}
