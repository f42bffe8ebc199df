import type { PlantedBug } from './plantedBug.ts';

const STORM = 'server/payments/paymentStress.test.ts';
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
    bug: 'laundry that a Duber brought back to its Scrub counts as never seen, and the Scrub is never paid',
    file: 'server/handovers/handoverEffects.ts',
    find: "if (taker === 'Scrub' && deliveryId !== null && !isSeen)",
    replace: "if (taker === 'Scrub' && deliveryId !== null && isConfirmation)",
    suite: STORM_AUDIT,
  },
  {
    bug: 'the audit of the storm calls laundry unseen that a Duber brought back to its Scrub',
    file: 'testing/paymentStress/caseAudit.ts',
    find: 'and h.delivery_id is not null and h.at <= w.created_at',
    replace: 'and h.delivery_id is null and h.at <= w.created_at',
    suite: STORM_AUDIT,
  },
];
