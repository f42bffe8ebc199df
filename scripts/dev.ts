import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createLogger, createServer, type ViteDevServer } from 'vite';
import { CommandError, describeError, errorCodeOf } from '../server/commands/commandError.ts';
import { readConfig } from '../server/config/config.ts';
import { ROOT } from './build.ts';
import { probePort } from './ports.ts';

// npm run dev: Vite serves the screens and reloads them as they change; behind it the server starts anew when its files do.
async function run(): Promise<void> {
  const asked = readConfig(process.env);
  const { host } = asked;
  const port = await probePort(asked.port, host).catch((error: unknown) => {
    if (errorCodeOf(error) !== 'EADDRINUSE') throw error;
    throw new CommandError(`PORT ${asked.port} of ${host} is taken: set PORT to another one`);
  });
  const { publicUrl } = readConfig({ ...process.env, PORT: String(port) });
  const apiPort = await probePort(0);
  const vite = await startVite({ host, port, apiPort });
  const server = startServer({ PORT: String(apiPort), HOST: '127.0.0.1', PUBLIC_URL: publicUrl });
  stopTogether(vite, server);
}

async function startVite(at: { host: string; port: number; apiPort: number }): Promise<ViteDevServer> {
  const target = `http://127.0.0.1:${at.apiPort}`;
  const vite = await createServer({
    root: ROOT,
    server: {
      host: at.host,
      port: at.port,
      strictPort: true,
      proxy: Object.fromEntries(['/api', '/sandbox'].map((path) => [path, { target, xfwd: true }])),
    },
    customLogger: createQuietLogger(),
  });
  await vite.listen();
  // Vite would end this process at once, and leave the server behind.
  process.removeAllListeners('SIGTERM');
  return vite;
}

// The server is away for a moment whenever it starts anew: that is no news.
function createQuietLogger() {
  const logger = createLogger('warn');
  const { error } = logger;
  logger.error = (message, options) => {
    if (errorCodeOf(options?.error) !== 'ECONNREFUSED') error(message, options);
  };
  return logger;
}

function startServer(env: Record<string, string>): ChildProcess {
  const script = join(import.meta.dirname, 'start.ts');
  const options = ['--disable-warning=ExperimentalWarning', '--watch', '--watch-preserve-output'];
  return spawn(process.execPath, [...options, script, '--api'], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: 'inherit',
  });
}

function stopTogether(vite: ViteDevServer, server: ChildProcess): void {
  let ending = false;
  const end = async (code: number) => {
    if (ending) return;
    ending = true;
    if (server.exitCode === null && server.signalCode === null) {
      const gone = once(server, 'exit');
      server.kill('SIGTERM');
      await gone;
    }
    await vite.close();
    process.exit(code);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end(0));
  server.on('exit', () => void end(1));
}

run().catch((error: unknown) => {
  process.stderr.write(`rubadub: ${describeError(error)}\n`);
  process.exit(1);
});
