import { POLICY_NAMES, type Preset } from '../domain/policies.ts';
import type { Tx } from '../server/db/database.ts';
import { setPolicy } from '../server/town/policies.sql.ts';

/** Sets every policy to the value of a preset, except admission: the people of the test work as soon as they have signed up. */
export async function setPresetForAdmitted(db: Tx, preset: Preset, from: Date): Promise<void> {
  for (const name of POLICY_NAMES) {
    if (name !== 'admission') await setPolicy(db, { name, value: preset, setBy: 'the test' }, from);
  }
}
