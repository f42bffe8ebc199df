import type { Preset } from '../../domain/policies.ts';
import { describeBags } from './bags.ts';
import { describeChanges } from './changes.ts';
import { describeClaims } from './claims.ts';
import { describeDoors } from './doors.ts';
import { testIn } from './town.ts';
import { describeWays } from './ways.ts';

/** Every situation of a bad day, on two phones of which one has no network for a while, in a town with this preset. */
export function describeSituations(preset: Preset): void {
  const test = testIn(preset);
  for (const describe of [describeDoors, describeWays, describeBags, describeClaims, describeChanges]) describe(test);
}
