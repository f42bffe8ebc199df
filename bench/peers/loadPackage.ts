import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Loads a package that is installed for a peer, whose folder its process runs in. */
export const loadPackage = createRequire(join(process.cwd(), 'package.json'));
