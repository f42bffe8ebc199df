import type { Preset } from '../../domain/policies.ts';
import { describeAtTheDoor } from './atTheDoor.ts';
import { describeBags } from './bags.ts';
import { describeChanges } from './changes.ts';
import { describeClaims } from './claims.ts';
import { describeOnTheWay } from './onTheWay.ts';
import { testUnderPreset } from './town.ts';

/** Every situation of a bad day, on two phones of which one has no network for a while, in a town with this preset. */
export function describeSituations(preset: Preset): void {
  const test = testUnderPreset(preset);
  for (const describe of [describeAtTheDoor, describeOnTheWay, describeBags, describeClaims, describeChanges])
    describe(test);
}
