// A process that records lives of the town that it is told of.

import { recordLife } from './recordLife.ts';
import type { Town } from './town.ts';

const town = JSON.parse(process.argv[2] ?? '') as Town;

process.on('message', async (seed: number) => process.send?.(await recordLife(town, seed)));
process.on('disconnect', () => process.exit());
