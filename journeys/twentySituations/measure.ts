import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { type ActName, OPERATOR_API } from '../../contract/operator/api.ts';
import type { AuditRow } from '../../contract/operator/audit.ts';
import type { OperatorCall } from '../../contract/operator/call.ts';
import { CODE_AGE_S } from '../../domain/operators.ts';
import { createOperator } from '../../testing/operators.ts';
import type { TestServer } from '../../testing/testServer.ts';
import { addActs, type HandActs, NO_ACTS, secondsOf, subtractActs } from './keystrokeModel.ts';
import { writeResult } from './results.ts';
import { type AuditedAct, type SituationName, TWENTY_SITUATIONS } from './situations.ts';

/** A person gets through each situation in this time. */
const MAX_SECONDS = 120;
/** Counts the acts in a page. */
export const HAND_ACTS_SCRIPT = join(import.meta.dirname, 'handActs.js');

const READ_ACTS = "sessionStorage.getItem('journey-hand-acts')";

/** What was done in these pages since they were opened. */
export async function readHandActs(pages: readonly Page[]): Promise<HandActs> {
  const found: HandActs[] = [];
  for (const page of pages) {
    const stored = await page.evaluate<string | null>(READ_ACTS);
    found.push(stored ? (JSON.parse(stored) as HandActs) : NO_ACTS);
  }
  return addActs(found);
}

/** The row of an act in the audit, as the list of situations names it. */
function actOf({ action, approvedBy, details }: AuditRow): AuditedAct {
  const name = action === 'ask' ? `ask:${details.act}` : approvedBy ? `approved:${action}` : action;
  return name as AuditedAct;
}

/** Whether an act asks for a code when the last one is old. */
const takesCode = (act: AuditedAct): boolean => {
  const call: OperatorCall = OPERATOR_API[act.slice(act.indexOf(':') + 1) as ActName];
  return call.act?.takesCode ?? false;
};

/**
 * Does `work`, which is a situation of operators. It has to leave exactly its rows in the audit, and the operators have to get
 * through it in two minutes. `pages` are the open pages of the console, also those that `work` opens. Sign operators up before.
 */
export async function measureSituation(
  name: SituationName,
  testServer: TestServer,
  pages: readonly Page[],
  work: () => Promise<void>,
): Promise<void> {
  const { acts: expected } = TWENTY_SITUATIONS[name];
  // The operators enter a new code before the first act that touches money.
  if (expected.some(takesCode)) testServer.advanceClock(CODE_AGE_S * 1000);
  const auditor = await createOperator(testServer, { caps: ['admin'] });
  const readAudit = async () => (await auditor.api.listAudit({ query: {} })).items;
  const lastRow = (await readAudit())[0]?.id ?? 0;
  const before = await readHandActs(pages);
  await work();
  const handActs = subtractActs(await readHandActs(pages), before);
  const rows = (await readAudit()).filter(({ id }) => id > lastRow).reverse();
  const acts = rows.map(actOf);
  expect(acts, `${name}: one row in the audit for each act`).toEqual(expected);
  const seconds = secondsOf(handActs);
  expect(handActs.presses, `${name}: something was pressed`).toBeGreaterThan(0);
  expect(seconds, `${name}: seconds of the operators`).toBeLessThanOrEqual(MAX_SECONDS);
  writeResult({ name, handActs, seconds, acts, date: new Date().toISOString() });
}
