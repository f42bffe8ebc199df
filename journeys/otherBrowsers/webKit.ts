import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { probePort } from '../../scripts/ports.ts';
import type { OtherBrowser, Tab } from './tab.ts';
import { WINDOW } from './tab.ts';

export type WebKitPrograms = { readonly driver: string; readonly browser: string; readonly xvfb: string };

type Command = <T>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => Promise<T>;

/** Starts WebKit's own test browser on a display without a screen. Each tab is a browser with a driver of its own. */
export async function openWebKit({ driver, browser, xvfb }: WebKitPrograms): Promise<OtherBrowser> {
  const display = spawn(xvfb, ['-displayfd', '1', '-screen', '0', '1400x1000x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const number = await readLine(display);
  // WebKit's sandbox needs user namespaces, which root in a container does not have.
  const env = { ...process.env, DISPLAY: `:${number}`, WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1' };
  const closers: (() => Promise<void>)[] = [];
  return {
    name: 'WebKit',
    openTab: async () => {
      const port = await probePort(0);
      const process = spawn(driver, [`--port=${port}`, '--host=127.0.0.1'], { stdio: 'ignore', env });
      closers.push(() => end(process));
      const { tab, close } = await openSession(`http://127.0.0.1:${port}`, browser);
      closers.push(close);
      return tab;
    },
    close: async () => {
      for (const close of closers.reverse()) await close();
      await end(display);
    },
  };
}

async function openSession(url: string, browser: string): Promise<{ tab: Tab; close: () => Promise<void> }> {
  const command = createCommand(url);
  await waitUntilReady(command);
  const options = { binary: browser, args: ['--automation'] };
  const { sessionId } = await command<{ sessionId: string }>('POST', '/session', {
    capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': options, unhandledPromptBehavior: 'accept' } },
  });
  const session = `/session/${sessionId}`;
  await command('POST', `${session}/window/rect`, WINDOW);
  const tab: Tab = {
    goto: async (address) => {
      await command('POST', `${session}/url`, { url: address });
    },
    run: (body, argument) =>
      command<string>('POST', `${session}/execute/sync`, {
        script: `return (async function () { ${body} }).apply(null, arguments);`,
        args: [argument],
      }),
    perform: async (actions) => {
      await command('POST', `${session}/actions`, { actions });
    },
  };
  const close = async () => {
    await command('DELETE', session);
  };
  return { tab, close };
}

/** Sends commands of the WebDriver protocol. */
function createCommand(url: string): Command {
  return async <T>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<T> => {
    const response = await fetch(url + path, { method, ...(body && { body: JSON.stringify(body) }) });
    const { value } = (await response.json()) as { value: T & { error?: string; message?: string } };
    if (!response.ok) throw new Error(`${method} ${path}: ${value.error}: ${value.message}`);
    return value;
  };
}

const ATTEMPTS = 200;
const ATTEMPT_GAP_MS = 50;

async function waitUntilReady(command: Command): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const status = await command<{ ready: boolean }>('GET', '/status').catch(() => undefined);
    if (status?.ready) return;
    await setTimeout(ATTEMPT_GAP_MS);
  }
  throw new Error('the driver of WebKit does not answer');
}

async function readLine(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('the program has no stdout');
  for await (const line of createInterface({ input: child.stdout })) return line;
  throw new Error('the program ended without a line');
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill();
  await exit;
}
