import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { compressTextFiles } from './compress.ts';

// Compresses the web app in the current folder, after everything else that the machine has to do, and notes that it is done.
const [, , stamp = ''] = process.argv;
setPriority(10);
await compressTextFiles('.');
writeFileSync(stamp, '');
