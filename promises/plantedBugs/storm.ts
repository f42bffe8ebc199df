import type { PlantedBug } from './plantedBug.ts';

const STORM = 'server/payments/paymentStress.test.ts';
const SEEN = 'server/payments/seenLaundry.test.ts';
const STORM_AUDIT = 'server/payments/stormAudit.test.ts';

/** Bugs in what happens to the money of claims and of lost laundry while servers are killed. */
export const STORM_BUGS: readonly PlantedBug[] = [
  {
    bug: 'what a Scrub earned stays held when the town closes the claim without a decision',
    file: 'server/cases/takeCaseStep.ts',
    find: 'if (!isOpenCase(to)) await releaseHolds',
    replace: "if (to === 'decided') await releaseHolds",
    suite: STORM,
    cases: 300,
  },
  {
    bug: 'what a Duber earned stays held when the town has decided about lost laundry',
    file: 'server/cases/claimHolds.ts',
    find: "if (kind === 'lost') await releaseCredits",
    replace: "if (kind === 'relay') await releaseCredits",
    // Too few bags are lost in a storm of CI.
    suite: 'server/cases/openCase.test.ts',
  },
  {
    bug: 'an offer is refunded, and its case goes on as if it were not, when the server is killed in between',
    file: 'server/cases/cases.ts',
    find: '  await transact(db, async (tx) => {\n    orNotFound(await findCase',
    replace:
      '  void transact;\n  await ((work: (tx: Tx) => Promise<void>) => work(db))(async (tx) => {\n    orNotFound(await findCase',
    suite: STORM,
    cases: 300,
  },
  {
    bug: 'a timer of a case is gone although its step was not taken, because the server was killed in between',
    file: 'server/cases/caseTimers.ts',
    find: 'if (!(await takeTimer(tx, timer))) return;',
    replace: 'if (!(await takeTimer(db, timer))) return;',
    suite: STORM,
    cases: 400,
  },
  {
    bug: 'laundry that its Scrub has taken from a Duber counts as never seen, and the Scrub is never paid',
    file: 'server/handovers/handoverEffects.ts',
    find: "if (taker === 'Scrub' && deliveryId !== null && !isSeen)",
    replace: "if (taker === 'Scrub' && deliveryId !== null && isConfirmation)",
    suite: SEEN,
  },
  {
    bug: 'the audit of the storm calls laundry unseen that its Scrub has taken from a Duber',
    file: 'testing/paymentStress/caseAudit.ts',
    find: "and (d.delivery_type = 'Bud_To_Scrub' or d.id is null",
    replace: "and (d.delivery_type = 'never' or d.id is null",
    suite: STORM_AUDIT,
  },
  {
    bug: 'friends make laundry seen that its Bud never gave away, by bringing it "back" to its Scrub',
    file: 'server/payments/payoutHolds.sql.ts',
    find: 'if (!isShown) return;',
    replace: 'void isShown;',
    suite: SEEN,
  },
  {
    bug: 'laundry that only came back to its Scrub counts as brought to them',
    file: 'server/payments/payoutHolds.sql.ts',
    find: "and w.delivery_type = 'Scrub_To_Bud'))`",
    replace: "and w.delivery_type = 'never'))`",
    suite: SEEN,
  },
  {
    bug: 'the way back shows laundry that nobody has brought to its Scrub',
    file: 'server/payments/payoutHolds.sql.ts',
    find: 'and not exists (select from deliveries y',
    replace: 'or true and not exists (select from deliveries y',
    suite: SEEN,
  },
  {
    bug: 'the audit of the storm finds nothing wrong with laundry that only came back to its Scrub',
    file: 'testing/paymentStress/caseAudit.ts',
    find: "and (d.delivery_type = 'Bud_To_Scrub' or d.id is null",
    replace: 'and (d.delivery_type is not null or d.id is null',
    suite: STORM_AUDIT,
  },
];
