import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { explain } from '../server/commands/commandError.ts';
import { browserToLaunch } from './browser.ts';
import { buildWeb, ROOT } from './build.ts';
import { writeGalleryPage } from './galleryPage.ts';

const FOLDER = join(ROOT, 'gallery');
const say = (line: string) => process.stderr.write(`rubadub: ${line}\n`);

// npm run gallery [words of a test's name]: pictures of every screen in every state, and the page that shows them.
async function run(only: readonly string[]): Promise<void> {
  const { executablePath } = browserToLaunch();
  await buildWeb({ say });
  if (only.length === 0) rmSync(FOLDER, { recursive: true, force: true });
  const child = spawn(
    process.execPath,
    [
      join(ROOT, 'node_modules', '@playwright/test/cli.js'),
      'test',
      '--config=journeys/gallery/playwright.config.ts',
      ...(only.length > 0 ? ['--grep', only.join(' ')] : []),
    ],
    { cwd: ROOT, env: { ...process.env, CHROMIUM_PATH: executablePath }, stdio: 'inherit' },
  );
  const [code] = await once(child, 'exit');
  const { page, count } = writeGalleryPage(FOLDER);
  say(`${count} pictures; leaf through them at ${page}`);
  if (code !== 0) say('some pictures could not be taken; the lines above say why');
  process.exitCode = code === 0 ? 0 : 1;
}

run(process.argv.slice(2)).catch((error: unknown) => {
  say(explain(error));
  process.exit(1);
});
