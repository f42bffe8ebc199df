import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createLogger, createServer, type ViteDevServer } from 'vite';
import { CommandError, describeError, errorCodeOf } from '../server/commands/commandError.ts';
import { isLoopback, readConfig } from '../server/config/config.ts';
import { ROOT } from './build.ts';
import { probePort } from './ports.ts';

// npm run dev: Vite serves the web app with hot reload and proxies to the API server, which restarts on changes.
async function run(): Promise<void> {
  const config = readConfig(process.env);
  const { host } = config;
  const port = await probePort(config.port, host).catch((error: unknown) => {
    if (errorCodeOf(error) !== 'EADDRINUSE') throw error;
    throw new CommandError(`PORT ${config.port} of ${host} is taken: set PORT to another one`);
  });
  const { publicUrl } = readConfig({ ...process.env, PORT: String(port) });
  const apiPort = await probePort(0);
  const vite = await startVite({ host, port, apiPort });
  // Behind Vite the server listens on loopback, and others may reach it nevertheless.
  const isOpen = !isLoopback(host);
  const server = startServer({ PORT: String(apiPort), HOST: '127.0.0.1', PUBLIC_URL: publicUrl }, isOpen);
  stopTogether(vite, server);
}

type ViteOptions = { host: string; port: number; apiPort: number };

async function startVite({ host, port, apiPort }: ViteOptions): Promise<ViteDevServer> {
  const target = `http://127.0.0.1:${apiPort}`;
  const vite = await createServer({
    root: ROOT,
    server: {
      host,
      port,
      strictPort: true,
      proxy: Object.fromEntries(['/api', '/sandbox'].map((path) => [path, { target, xfwd: true }])),
    },
    customLogger: createQuietLogger(),
  });
  await vite.listen();
  // Vite's own handler exits at once and would leave the API server running.
  process.removeAllListeners('SIGTERM');
  return vite;
}

// Hides the refused connections of the moment in which the API server restarts.
function createQuietLogger() {
  const logger = createLogger('warn');
  const { error } = logger;
  logger.error = (message, options) => {
    if (errorCodeOf(options?.error) !== 'ECONNREFUSED') error(message, options);
  };
  return logger;
}

function startServer(env: Record<string, string>, isOpen: boolean): ChildProcess {
  const script = join(import.meta.dirname, 'start.ts');
  const options = ['--disable-warning=ExperimentalWarning', '--watch', '--watch-preserve-output'];
  return spawn(process.execPath, [...options, script, '--api', ...(isOpen ? ['--open'] : [])], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: 'inherit',
  });
}

function stopTogether(vite: ViteDevServer, server: ChildProcess): void {
  let isStopping = false;
  const stop = async (code: number) => {
    if (isStopping) return;
    isStopping = true;
    if (server.exitCode === null && server.signalCode === null) {
      const exited = once(server, 'exit');
      server.kill('SIGTERM');
      await exited;
    }
    await vite.close();
    process.exit(code);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0));
  server.on('exit', () => void stop(1));
}

run().catch((error: unknown) => {
  process.stderr.write(`rubadub: ${describeError(error)}\n`);
  process.exit(1);
});
