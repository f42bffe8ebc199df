import { resolve } from 'node:path';
import Fastify from 'fastify';
import { S3_STAND_IN_KEYS } from '../sandbox/s3/signature.ts';
import { openSandbox } from '../sandbox/sandbox.ts';
import { openDataDir } from '../server/db/dataDir.ts';
import { takeLock } from '../server/db/dataDirLock.ts';
import { handleError } from '../server/http/errors.ts';
import { createHostCheck } from '../server/http/hosts.ts';

const HOST = '127.0.0.1';

// npm run sandbox: runs the third-party stand-ins without a server, so that several servers can share them.
async function run(): Promise<void> {
  const port = readPort('PORT', 3100);
  const smtpPort = readPort('SANDBOX_SMTP_PORT', 0);
  const dataDir = resolve(process.env.DATA_DIR || './data');
  openDataDir(dataDir, (line) => console.error(`rubadub sandbox: DATA_DIR ${line}`));
  let publicUrl = `http://${HOST}:${port}`;
  const parts = { square: true, places: true, map: true, mail: true, files: true };
  const sandbox = await openSandbox({ dataDir, parts, publicUrl: () => publicUrl, smtpPort, lock: takeLock }).catch(
    (error: unknown) => {
      throw toPortError(error, 'SANDBOX_SMTP_PORT', smtpPort);
    },
  );
  const app = Fastify({ forceCloseConnections: true });
  app.setErrorHandler(handleError);
  const checkHost = createHostCheck({ publicUrl, host: HOST });
  app.addHook('onRequest', async ({ raw }) => checkHost(raw, undefined));
  const stop = async () => {
    await app.close();
    await sandbox.close();
  };
  try {
    await sandbox.register(app);
    publicUrl = await app.listen({ host: HOST, port });
  } catch (error) {
    await stop();
    throw toPortError(error, 'PORT', port);
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      stop().then(() => process.exit(0), fail);
    });
  }
  console.log(formatBanner(publicUrl, sandbox.smtpUrl ?? '', dataDir));
}

function readPort(name: string, defaultPort: number): number {
  const text = process.env[name];
  if (!text) return defaultPort;
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65535) throw new Error(`${name} must be a port from 0 to 65535, not "${text}"`);
  return port;
}

function toPortError(error: unknown, name: string, port: number): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') return new Error(`port ${port} of ${HOST} is taken; set ${name} to another one`);
  if (code === 'EACCES' && port > 0 && port < 1024) {
    return new Error(`port ${port} is reserved for root; set ${name} to one above 1023`);
  }
  return error;
}

function formatBanner(url: string, smtpUrl: string, dataDir: string): string {
  return `
Rubadub sandbox: the third-party stand-ins, with their data in ${dataDir}

  Payments   ${url}/sandbox/square
  Mail       ${url}/sandbox/mail
  Pushes     ${url}/sandbox/push
  Search     ${url}/sandbox/places
  Map        ${url}/sandbox/map

To use them, start servers with these variables:

  SQUARE_BASE_URL=${url}/sandbox/square
  SQUARE_WEB_SDK_URL=${url}/sandbox/square/web-sdk/square.js
  SQUARE_ACCESS_TOKEN=any
  SQUARE_APPLICATION_ID=any
  SQUARE_LOCATION_ID=any
  MAPBOX_BASE_URL=${url}/sandbox/places
  MAPBOX_TOKEN=any
  MAP_STYLE_URL=${url}/sandbox/map/style.json
  ROUTING_URL=${url}/sandbox/routing
  SMTP_URL=${smtpUrl}
  PUSH_STAND_IN_URL=${url}/sandbox/push

These keep the contents of files there instead of in the database:

  S3_URL=${url}/sandbox/s3/files
  S3_ACCESS_KEY_ID=${S3_STAND_IN_KEYS.accessKeyId}
  S3_SECRET_ACCESS_KEY=${S3_STAND_IN_KEYS.secretAccessKey}

Ctrl-C ends it.
`;
}

function fail(error: unknown): void {
  console.error(`rubadub sandbox: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}

run().catch(fail);
