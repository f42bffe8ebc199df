import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './build.ts';
import { isLocked, type LockedPackage, readLockfile } from './packages.ts';

// npm run lockfile: adds the binaries for other platforms that the registry in use does not carry, because `npm ci` refuses
// a lockfile without them. They get no checksum. Run it after `npm install` has changed the lockfile.
const PLATFORM = /(android|darwin|freebsd|linux|openharmony|win32)-([a-z\d]+)(?:-(gnu|musl))?/;
const LIBC_NAMES: Readonly<Record<string, string>> = { gnu: 'glibc', musl: 'musl' };

const lockfile = readLockfile(ROOT);
const packages: Record<string, LockedPackage> = { ...lockfile.packages };
for (const [path, { optionalDependencies = {}, license = '' }] of Object.entries(lockfile.packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    if (isLocked(name, path, packages)) continue;
    const [, os, cpu, libc = ''] = PLATFORM.exec(name) ?? [];
    if (!os || !cpu) throw new Error(`the platform of ${name} is not in its name: add it to package-lock.json by hand`);
    const libcName = os === 'linux' ? LIBC_NAMES[libc] : undefined;
    packages[`node_modules/${name}`] = {
      version,
      cpu: [cpu],
      dev: true,
      ...(libcName ? { libc: [libcName] } : {}),
      license,
      optional: true,
      os: [os],
    };
    console.log(`added ${name} ${version}`);
  }
}
const sorted = Object.fromEntries(Object.entries(packages).toSorted(([a], [b]) => a.localeCompare(b, 'en')));
writeFileSync(join(ROOT, 'package-lock.json'), `${JSON.stringify({ ...lockfile, packages: sorted }, null, 2)}\n`);
