import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT } from '../../scripts/build.ts';
import { findDebianProgram } from '../../testing/debianProgram.ts';

// Docker Compose as Debian has it: it reads the file, fills in the variables and checks it by the schema of the specification. It needs
// no Docker for that.
const PYTHON = ['docker', 'dockerpty', 'docopt', 'dotenv', 'jsonschema', 'texttable', 'websocket', 'yaml', 'attr'];
const PACKAGES = [...PYTHON, 'pyrsistent', 'distro', 'paramiko', 'requests', 'urllib3', 'chardet', 'six', 'idna'];
const program = findDebianProgram(
  '/usr/bin/docker-compose',
  'docker-compose',
  ...PACKAGES.map((name) => `python3-${name}`),
);
const hasPython = spawnSync('python3', ['--version']).status === 0;

describe.skipIf(program === undefined || !hasPython)('Docker Compose', () => {
  const readServices = (env: string) => {
    const home = mkdtempSync(join(tmpdir(), 'rubadub-compose-'));
    try {
      cpSync(join(ROOT, 'deploy'), join(home, 'deploy'), { recursive: true });
      writeFileSync(join(home, 'deploy', '.env'), env);
      const libraries = join(dirname(program ?? ''), '..', 'lib', 'python3', 'dist-packages');
      const args = [
        program ?? '',
        '--project-directory',
        join(home, 'deploy'),
        '-f',
        join(home, 'deploy', 'compose.yaml'),
      ];
      const { stdout, stderr, status } = spawnSync('python3', [...args, 'config'], {
        env: { PATH: process.env.PATH, PYTHONPATH: libraries, PYTHONWARNINGS: 'ignore' },
        encoding: 'utf8',
      });
      return { stdout, stderr, status };
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  };

  test('accepts the file, in which two servers share a database and only the proxy has ports', () => {
    const { stdout, stderr, status } = readServices(
      'DOMAIN=town.example.org\nPOSTGRES_PASSWORD=secret\nSEALING_KEY=key\n',
    );
    expect([status, stderr]).toEqual([0, '']);
    const services = stdout.split(/^ {2}(?=\w+:$)/m);
    const of = (name: string) => services.find((text) => text.startsWith(`${name}:\n`)) ?? '';
    for (const name of ['one', 'two', 'pgbouncer', 'db', 'proxy']) expect(of(name), name).not.toBe('');
    for (const name of ['one', 'two']) {
      expect(of(name)).toContain('PUBLIC_URL: https://town.example.org');
      expect(of(name)).toContain('DATABASE_URL: postgres://rubadub:secret@pgbouncer:6432/rubadub');
      expect(of(name)).toContain('read_only: true');
    }
    expect(services.filter((text) => text.includes('ports:')).map((text) => text.split(':')[0])).toEqual(['proxy']);
  });

  test('refuses to start without a password or a key', () => {
    const { stderr, status } = readServices('DOMAIN=town.example.org\nPOSTGRES_PASSWORD=secret\n');
    expect(status).not.toBe(0);
    expect(stderr).toContain('set it in deploy/.env');
  });
});
