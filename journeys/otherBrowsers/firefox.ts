import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { InputSource, OtherBrowser, Tab } from './tab.ts';
import { WINDOW } from './tab.ts';

type Send = <T>(method: string, params: object) => Promise<T>;

/** Starts Firefox and speaks WebDriver BiDi with it, which Firefox has built in. */
export async function openFirefox(program: string): Promise<OtherBrowser> {
  const profile = mkdtempSync(join(tmpdir(), 'rubadub-firefox-'));
  const args = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0'];
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, HOME: profile } });
  const exit = once(child, 'exit');
  const socket = new WebSocket(`${await readEndpoint(child)}/session`);
  await once(socket, 'open');
  const send = createSender(socket);
  await send('session.new', { capabilities: { alwaysMatch: { unhandledPromptBehavior: { default: 'accept' } } } });
  return {
    name: 'Firefox',
    openTab: () => openTab(send),
    close: async () => {
      socket.close();
      child.kill();
      await exit;
      await rm(profile, { recursive: true, force: true });
    },
  };
}

async function readEndpoint(child: ChildProcess): Promise<string> {
  if (!child.stderr) throw new Error('Firefox has no stderr');
  for await (const line of createInterface({ input: child.stderr })) {
    const endpoint = /WebDriver BiDi listening on (ws:\S+)/.exec(line)?.[1];
    if (endpoint) {
      child.stderr.resume();
      return endpoint;
    }
  }
  throw new Error('Firefox ended before it listened');
}

/** Sends commands and matches the answers by id. */
function createSender(socket: WebSocket): Send {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let lastId = 0;
  socket.addEventListener('message', ({ data }) => {
    const { id, type, result, message } = JSON.parse(String(data));
    if (type === 'success') waiting.get(id)?.resolve(result);
    else if (type === 'error') waiting.get(id)?.reject(new Error(message));
  });
  socket.addEventListener('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('Firefox closed the connection'));
  });
  return <T>(method: string, params: object) => {
    lastId += 1;
    const answer = Promise.withResolvers<unknown>();
    waiting.set(lastId, answer);
    socket.send(JSON.stringify({ id: lastId, method, params }));
    return answer.promise as Promise<T>;
  };
}

async function openTab(send: Send): Promise<Tab> {
  const { userContext } = await send<{ userContext: string }>('browser.createUserContext', {});
  // A window, not a tab: the timers of tabs in the background are slowed down.
  const { context } = await send<{ context: string }>('browsingContext.create', { type: 'window', userContext });
  await send('browsingContext.setViewport', { context, viewport: WINDOW });
  return {
    goto: async (url) => {
      await send('browsingContext.navigate', { context, url, wait: 'complete' });
    },
    run: async (body, argument) => {
      const { result, exceptionDetails } = await send<{
        result?: { value: string };
        exceptionDetails?: { text: string };
      }>('script.callFunction', {
        functionDeclaration: `async function () { ${body} }`,
        arguments: [{ type: 'string', value: argument }],
        target: { context },
        awaitPromise: true,
        userActivation: false,
      });
      if (!result) throw new Error(exceptionDetails?.text ?? 'the script failed');
      return result.value;
    },
    perform: async (actions: readonly InputSource[]) => {
      await send('input.performActions', { context, actions });
    },
  };
}
