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

// npm run gallery [words of a test's name]: takes a screenshot of every screen in every state and writes a page of them.
async function run(filter: readonly string[]): Promise<void> {
  const { executablePath } = getBrowserLaunchOptions();
  await buildWeb({ log });
  if (filter.length === 0) rmSync(GALLERY_DIR, { recursive: true, force: true });
  const child = spawn(
    process.execPath,
    [
      join(ROOT, 'node_modules', '@playwright/test/cli.js'),
      'test',
      '--config=journeys/gallery/playwright.config.ts',
      ...(filter.length > 0 ? ['--grep', filter.join(' ')] : []),
    ],
    { cwd: ROOT, env: { ...process.env, CHROMIUM_PATH: executablePath }, stdio: 'inherit' },
  );
  const [code] = await once(child, 'exit');
  const { page, count } = writeGalleryPage(GALLERY_DIR);
  log(`${count} screenshots; open ${page} to view them`);
  if (code !== 0) log('some screenshots could not be taken; see the errors above');
  process.exitCode = code === 0 ? 0 : 1;
}

run(process.argv.slice(2)).catch((error: unknown) => {
  log(describeError(error));
  process.exit(1);
});
