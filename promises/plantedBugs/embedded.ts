import type { PlantedBug } from './plantedBug.ts';

const MAINTENANCE = 'scripts/demo/maintenance.test.ts';
const NEIGHBOURS = 'scripts/demo/neighbours/neighbours.test.ts';
const INSTALL = 'scripts/installPackages.test.ts';
const FULL_DISK = 'promises/fullDisk.test.ts';

/** Bugs of a first start, and of the embedded database without room. */
export const EMBEDDED_BUGS: readonly PlantedBug[] = [
  {
    bug: 'an embedded PostgreSQL that has ended itself is called again',
    file: 'server/db/embeddedFiles.ts',
    find: 'throwAfterCrash(module, this.#onCrash);',
    replace: '',
    suite: FULL_DISK,
  },
  {
    bug: 'an embedded database that found no room does not open again',
    file: 'server/db/embeddedSession.ts',
    find: 'if (engine.crash()) engine = await',
    replace: 'if (!engine.crash()) engine = await',
    suite: FULL_DISK,
  },
  {
    bug: 'a neighbour acts for the demo person whom a visitor plays',
    file: 'scripts/demo/neighbours/scrubTurn.ts',
    find: '  if (isPlayedByVisitor(town, scrub)) return pause;\n',
    replace: '',
    suite: NEIGHBOURS,
  },
  {
    bug: 'a neighbour of the demo counts one bag, whatever the Duber has counted',
    file: 'scripts/demo/neighbours/town.ts',
    find: '{ bags: bags ?? 1 }',
    replace: '{ bags: bags === null ? 2 : 1 }',
    suite: NEIGHBOURS,
  },
  {
    bug: 'the neighbours of the demo keep each other awake',
    file: 'scripts/demo/visits.ts',
    find: '(call === API.session || !isReadOnly(call))',
    replace: 'true',
    suite: NEIGHBOURS,
  },
  {
    bug: 'readiness does not know that the embedded database cannot write',
    file: 'server/http/health.ts',
    find: "if (problem !== undefined) refuse('notReady', { message: problem });",
    replace: '',
    suite: FULL_DISK,
  },
  {
    bug: 'visitors reach the API while the demo is added, and the clock shows the past',
    file: 'scripts/demo/maintenance.ts',
    find: 'if (!isOn || !isApi ||',
    replace: 'if (!isOn || isApi ||',
    suite: MAINTENANCE,
  },
  {
    bug: 'a package with another checksum than in the lockfile is installed',
    file: 'scripts/downloadPackages.mjs',
    find: "createHash('sha512').update(bytes).digest('base64') === checksum;",
    replace: 'bytes.length > 0;',
    suite: INSTALL,
  },
];
