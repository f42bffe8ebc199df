import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify from 'fastify';
import { S3_STAND_IN_KEYS } from '../sandbox/s3/signature.ts';
import { openSandbox } from '../sandbox/sandbox.ts';

/** S3's stand-in on a port of its own, and what a server needs to use it. */
export async function startS3Sandbox() {
  const dataDir = await mkdtemp(join(tmpdir(), 'rubadub-s3-'));
  const app = Fastify({ forceCloseConnections: true });
  let isAway = false;
  app.addHook('onRequest', async ({ raw }) => {
    if (isAway) raw.destroy();
  });
  const parts = { square: false, places: false, map: false, mail: false, files: true };
  let url = '';
  const sandbox = await openSandbox({ dataDir, parts, publicUrl: () => url });
  await sandbox.register(app);
  url = await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    config: { url: `${url}/sandbox/s3/photos`, region: 'us-east-1', ...S3_STAND_IN_KEYS },
    /** Cuts off every request from now on. The port stays taken. */
    goAway() {
      isAway = true;
    },
    async stop() {
      await app.close();
      await sandbox.close();
      await rm(dataDir, { recursive: true });
    },
  };
}
