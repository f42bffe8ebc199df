import { execFileSync } from 'node:child_process';
import { accessSync, constants, mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { aptInstall, canAptGet, installIntoCache } from './install.ts';

const NPM_VERSION = '153.0.0';
const PROGRAM_NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
const OTHER_PATHS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/snap/bin/chromium',
];

// Two pages for the address bar of every window, which nobody sees: more than half of what a new window costs.
const ADDRESS_BAR_PAGES = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'];

// Playwright switches these off itself. A second list of features replaces the first, so they are repeated here.
const DISABLED_BY_PLAYWRIGHT = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
];

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Maps need WebGL, which SwiftShader renders in software.
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  // Without a graphics card, drawing pages on the CPU takes a fifth less time than emulating a GPU for that too.
  '--disable-gpu-rasterization',
  `--disable-features=${[...DISABLED_BY_PLAYWRIGHT, ...ADDRESS_BAR_PAGES].join(',')}`,
];

/** Launch options for Playwright: an installed Chromium, or one that is installed now. */
export function getBrowserLaunchOptions(): { executablePath: string; args: string[] } {
  return { executablePath: findChromium(), args: FLAGS };
}

function findChromium(): string {
  const found = findInstalledChromium();
  if (found) return found;
  if (canAptGet()) {
    aptInstall('chromium');
    const installed = findInstalledChromium();
    if (installed) return installed;
  }
  return unpackChromium();
}

function findInstalledChromium(): string | undefined {
  const configured = process.env.CHROMIUM_PATH;
  if (configured) {
    if (isExecutable(configured)) return configured;
    throw new Error(`CHROMIUM_PATH is ${configured}, which is not an executable file`);
  }
  const onPath = (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => PROGRAM_NAMES.map((name) => join(folder, name)));
  return [...onPath, ...OTHER_PATHS].find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

// The package unpacks into TMPDIR. A folder that only we write to prevents other users from planting a binary there.
function unpackChromium(): string {
  const home = installIntoCache('@sparticuz/chromium', NPM_VERSION);
  const folder = join(home, '..', '..', '..', 'unpacked');
  mkdirSync(folder, { recursive: true });
  const script = `
    const { default: chromium } = await import(${JSON.stringify(pathToFileURL(join(home, 'build/index.js')).href)});
    process.stdout.write(await chromium.executablePath());
  `;
  const env = { ...process.env, TMPDIR: folder };
  return execFileSync(process.execPath, ['--input-type=module', '-e', script], { env, encoding: 'utf8' });
}
