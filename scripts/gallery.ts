import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describeError } from '../server/commands/commandError.ts';
import { getBrowserLaunchOptions } from './browser.ts';
import { buildWeb, ROOT } from './build.ts';
import { writeGalleryPage } from './galleryPage.ts';

const GALLERY_DIR = join(ROOT, 'gallery');
const log = (line: string) => process.stderr.write(`rubadub: ${line}\n`);

// npm run gallery [words of a test's name]: pictures of every screen in every state, and the page that shows them.
async function run(only: readonly string[]): Promise<void> {
  const { executablePath } = getBrowserLaunchOptions();
  await buildWeb({ log: log });
  if (only.length === 0) rmSync(GALLERY_DIR, { recursive: true, force: true });
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
  const { page, count } = writeGalleryPage(GALLERY_DIR);
  log(`${count} pictures; leaf through them at ${page}`);
  if (code !== 0) log('some pictures could not be taken; the lines above say why');
  process.exitCode = code === 0 ? 0 : 1;
}

run(process.argv.slice(2)).catch((error: unknown) => {
  log(describeError(error));
  process.exit(1);
});
