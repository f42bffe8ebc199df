import { existsSync } from 'node:fs';
import { aptInstall, canAptGet } from '../../scripts/install.ts';
import type { WebKitPrograms } from './webKit.ts';

const MULTIARCH = { x64: 'x86_64-linux-gnu', arm64: 'aarch64-linux-gnu' }[process.arch as 'x64' | 'arm64'];

/** Returns the installed Firefox, or the distribution's. Undefined when there is none and it cannot be installed. */
export function findFirefox(): string | undefined {
  const find = () => ['/usr/bin/firefox-esr', '/usr/bin/firefox'].find((path) => existsSync(path));
  if (!find() && canAptGet()) aptInstall('firefox-esr');
  return find();
}

/** Returns WebKit's test browser with its driver and a display, as Debian ships them. */
export function findWebKit(): WebKitPrograms | undefined {
  const find = (): WebKitPrograms | undefined => {
    const programs = {
      driver: '/usr/bin/WebKitWebDriver',
      browser: `/usr/lib/${MULTIARCH}/webkit2gtk-4.1/MiniBrowser`,
      xvfb: '/usr/bin/Xvfb',
    };
    return Object.values(programs).every((path) => existsSync(path)) ? programs : undefined;
  };
  if (!find() && canAptGet()) aptInstall('webkit2gtk-driver', 'xvfb');
  return find();
}
