import type { PlantedBug } from './plantedBug.ts';

const CASES = 'server/cases/cases.test.ts';
const RACES = 'server/cases/races.test.ts';
const SAME_PEOPLE = 'server/cases/samePeople.test.ts';

/** Bugs in cases. */
export const CASE_BUGS: readonly PlantedBug[] = [
  {
    bug: 'a claim about damage needs no photo',
    file: 'server/cases/createCase.ts',
    find: 'if (needsPhoto(items) && (body.fileIds ?? []).length === 0)',
    replace: 'if (needsPhoto(items) && body.fileIds === null)',
    suite: CASES,
  },
  {
    bug: 'what was offered happens again when the case is closed',
    file: 'server/cases/takeCaseStep.ts',
    find: "['accept-offer', 'silent-bud'];",
    replace: "['accept-offer', 'silent-bud', 'close'];",
    suite: CASES,
  },
  {
    bug: 'the claimed part of a credit is paid out while the case is open',
    file: 'server/cases/claimHolds.ts',
    find: 'await holdCredits(tx,',
    replace: 'void holdCredits; void (tx,',
    suite: CASES,
  },
  {
    bug: 'anybody with the role reads any case',
    file: 'server/visibility/viewRules.sql.ts',
    find: `p.case_id = \${caseId} and p.user_id = \${userId}::uuid`,
    replace: `p.case_id = \${caseId}`,
    suite: CASES,
  },
  {
    bug: 'what somebody answers is not waited for, because its timer does not start',
    file: 'server/cases/caseSteps.sql.ts',
    find: 'await queryRows(tx, armTimersSql(CASES, rows, step));',
    replace: 'void armTimersSql(CASES, rows, step);',
    suite: CASES,
  },
  {
    bug: 'two steps of a case at once do not wait for each other',
    file: 'server/cases/cases.sql.ts',
    find: ' for update`',
    replace: '`',
    suite: RACES,
  },
  {
    bug: 'a person who reports thirty problems at once has thirty open cases',
    file: 'server/cases/createCase.ts',
    find: '    await lockOpener(tx, caller.id);\n',
    replace: '    void lockOpener;\n',
    suite: RACES,
  },
  {
    bug: 'the Duber who has a delivery now pays for what another one lost',
    file: 'server/cases/caseMoney.ts',
    find: 'row.aboutUser !== null && liable === liableOf(row)',
    replace: "row.aboutUser !== null && liable === 'scrub'",
    suite: 'server/cases/decideCase.test.ts',
  },
  {
    bug: 'a Duber pays for a claim about the Scrub, and cannot read why',
    file: 'server/cases/decideCase.ts',
    find: '    await addBearers(tx, row.id);\n',
    replace: '    void addBearers;\n',
    suite: 'server/cases/decideForDuber.test.ts',
  },
  {
    bug: 'a second decision that names nobody makes another Duber pay the difference',
    file: 'server/cases/decideCase.ts',
    find: '(ofDuber.cents > 0 ? await bearerOf(tx, row, ofDuber) : null)',
    replace: '(bearerOf && null)',
    suite: 'server/cases/decideForDuber.test.ts',
  },
  {
    bug: 'who pays for a decision reads the taxes of it as theirs, too',
    file: 'server/db/columns.sql.ts',
    find: 'sum(r.amount + r.discount - r.taxes - r.forgiven)',
    replace: 'sum(r.amount + r.discount - r.forgiven)',
    suite: 'server/cases/decideForDuber.test.ts',
  },
  {
    bug: 'a decision that names no Duber, where several carried the laundry, is only refused once a second operator approves it',
    file: 'server/cases/decideCase.ts',
    find: 'if (!bearer.ok) throw new DecisionProblem(bearer.why);',
    replace: 'if (!bearer.ok) return null;',
    suite: 'server/cases/decideForDuber.test.ts',
  },
  {
    bug: 'a decision cannot be contested any more once another report about the order has ended',
    file: 'domain/cases.ts',
    find: '? Math.max(until, (endedAt?.getTime() ?? Number.POSITIVE_INFINITY) + CONTEST_WITHIN_MS)',
    replace: '? until',
    suite: 'server/cases/contestBesideClaim.test.ts',
  },
  {
    bug: 'a case is closed while another report keeps its decision from being contested',
    file: 'server/cases/caseTimers.ts',
    find: 'return until > now.getTime() ? new Date(Math.min(until, tomorrow)) : undefined;',
    replace: 'return until > now.getTime() && until <= tomorrow ? new Date(until) : undefined;',
    suite: 'server/cases/contestBesideClaim.test.ts',
  },
  {
    bug: 'nobody looks whether the people of an order are the same',
    file: 'server/payments/payouts.ts',
    find: '    await holdSamePeople(tx, { userId, account }, periodEnd, at);\n',
    replace: '',
    suite: SAME_PEOPLE,
  },
  {
    bug: 'people who share only a network count as the same',
    file: 'domain/samePeople.ts',
    find: "mark !== 'network'",
    replace: "mark !== 'phone'",
    suite: SAME_PEOPLE,
  },
  {
    bug: 'the same two people are shown to the town every week',
    file: 'server/cases/samePeople.ts',
    find: 'found.find(({ status }) => isOpenCase(status))?.caseId ?? ',
    replace: 'found.find(({ status }) => isOpenCase(status) && false)?.caseId ?? ',
    suite: SAME_PEOPLE,
  },
  {
    bug: 'what people who may be the same earned waits after the town found it in order',
    file: 'server/cases/claimHolds.ts',
    find: "if (kind === 'same-people') await endHoldsOfCase(tx, caseId, at);",
    replace: 'void endHoldsOfCase;',
    suite: SAME_PEOPLE,
  },
];
