import type { PlantedBug } from './plantedBug.ts';

const ADMISSIONS = 'server/admissions/admissions.test.ts';
const SWEEP = 'server/admissions/admissionSweep.test.ts';
const RACES = 'server/admissions/admissionRaces.test.ts';

/** Bugs in who may work, and in who sees the documents of workers. */
export const ADMISSION_BUGS: readonly PlantedBug[] = [
  {
    bug: 'a Duber who is not admitted accepts a delivery',
    file: 'domain/admissions.ts',
    find: "  return status === 'refused' || worksUntil === null || ",
    replace: "  return status === 'refused' || ",
    suite: ADMISSIONS,
  },
  {
    bug: 'a Scrub who has signed up is found before they are admitted',
    file: 'server/accounts/accounts.ts',
    find: 'if (await enrolNewWorker({ ...context, db: tx, wake: () => {} }, user)) await showScrub(tx, user.id);',
    replace: 'await enrolNewWorker({ ...context, db: tx, wake: () => {} }, user);',
    suite: ADMISSIONS,
  },
  {
    bug: 'a Scrub who was refused is found and gets orders',
    file: 'domain/admissions.ts',
    find: "  if (status === 'active') return false;",
    replace: "  if (status === 'active' || status === 'refused') return false;",
    suite: ADMISSIONS,
  },
  {
    bug: 'a document expires and nothing happens',
    file: 'server/admissions/admissionTimers.ts',
    find: "    if (timer.action === 'lapse') return lapse(inside, admission, null);\n",
    replace: "    if (timer.action === 'lapse') return;\n",
    suite: ADMISSIONS,
  },
  {
    bug: 'somebody else reads the document of a worker',
    file: 'server/files/fileVisibility.sql.ts',
    find: 'document: () => sql<boolean>`false`',
    replace: 'document: () => sql<boolean>`true`',
    suite: ADMISSIONS,
  },
  {
    bug: 'every operator reads documents as they read other photos',
    file: 'server/files/files.sql.ts',
    find: ".where('f.about_kind', '<>', 'document')",
    replace: ".where('f.about_kind', 'is not', null)",
    suite: ADMISSIONS,
  },
  {
    bug: 'an operator looks at documents without having said why',
    file: 'server/operator/admissions.ts',
    find: "    if (!(await findShownUntil(context, operator.id, id))) refuse('documentsHidden');\n",
    replace: '',
    suite: ADMISSIONS,
  },
  {
    bug: 'a document is accepted that no operator has seen',
    file: 'server/admissions/decideAdmission.ts',
    find: '  refuseUnseen(waiting, seen);\n',
    replace: '',
    suite: ADMISSIONS,
  },
  {
    bug: 'the documents of somebody who was refused are kept',
    file: 'server/files/eraseFiles.sql.ts',
    find: ".where('erase_at', '<=', now)",
    replace: ".where('erase_at', '<=', new Date(0))",
    suite: ADMISSIONS,
  },
  {
    bug: 'who was not admitted stays kept from work in a town that no longer asks',
    file: 'server/admissions/enrol.ts',
    find: 'const isHeld = isAsking && isNeeded && isHeldUnadmitted(admission, at);',
    replace: 'const isHeld = isNeeded && isHeldUnadmitted(admission, at);',
    suite: SWEEP,
  },
  {
    bug: 'who has worked stands still when the town begins to ask',
    file: 'server/admissions/enrol.ts',
    find: 'const worksUntil = isAsking && (await hasWorked(inside.db, worker)) ? endOfGrace(inside.now()) : null;',
    replace: 'const worksUntil = null;',
    suite: SWEEP,
  },
  {
    bug: 'a document that comes while an operator decides is lost between the two',
    file: 'server/admissions/admissions.sql.ts',
    find: "  await tx.selectFrom('users').select('id').where('id', '=', id).forUpdate().execute();\n",
    replace: '',
    suite: RACES,
  },
];
