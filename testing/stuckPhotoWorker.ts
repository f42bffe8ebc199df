import { parentPort } from 'node:worker_threads';

// In place of the photo worker: a photo that is 666 pixels wide is never done, like one that a decoder cannot get to the end
// of; all others are done at once.

parentPort?.on('message', ({ width, height, bytes }: { width: number; height: number; bytes: Uint8Array }) => {
  while (width === 666);
  parentPort?.postMessage({ width, height, bytes });
});
parentPort?.postMessage('ready');
