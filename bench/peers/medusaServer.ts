import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { loadPackage } from './loadPackage.ts';

// Medusa's server without its worker and its admin screens. Its cache, locks and events are in memory.
const HOST = '127.0.0.1';
const PORT = Number(process.env.PORT);

const CONFIG = `const { defineConfig } = require('@medusajs/framework/utils');
const cors = { storeCors: '*', adminCors: '*', authCors: '*' };
module.exports = defineConfig({
  projectConfig: {
    databaseUrl: process.env.DATABASE_URL,
    databaseDriverOptions: { ssl: false, connection: { ssl: false } },
    workerMode: 'server',
    http: { jwtSecret: 'bench', cookieSecret: 'bench', ...cors },
  },
  admin: { disable: true },
});
`;

process.env.MEDUSA_DISABLE_TELEMETRY = '1';
process.env.LOG_LEVEL = 'error';
writeFileSync(join(process.cwd(), 'medusa-config.js'), CONFIG);
const cli = join(process.cwd(), 'node_modules', '@medusajs', 'cli', 'cli.js');
for (const args of [['db:migrate'], ['exec', join(import.meta.dirname, 'medusaSeed.ts')]])
  execFileSync(process.execPath, [cli, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });

await loadPackage('@medusajs/medusa/commands/start').default({ directory: process.cwd(), host: HOST, port: PORT });
const isUp = () =>
  fetch(`http://${HOST}:${PORT}/health`).then(
    ({ ok }) => ok,
    () => false,
  );
while (!(await isUp())) await setTimeout(100);
process.send?.('ready');
