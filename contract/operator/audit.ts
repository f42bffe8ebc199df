import { z } from 'zod';
import { id, money, numberInQuery, oneOf, optionalText, strict, time, uuid } from '../fields.ts';
import { AUDIT_SUBJECTS, operatorCall } from './call.ts';

const who = z.object({ id: uuid.nullable(), name: z.string() });

/** One act of an operator, as it was written in the transaction of the act. */
export const AuditRow = z
  .object({
    id: z.int().describe('1 for the first act, and one more for each: no number is missing'),
    at: time,
    by: who,
    approvedBy: who.nullable().describe('who approved it'),
    action: z.string().describe('the call that it came from'),
    subject: z.object({ kind: z.enum(AUDIT_SUBJECTS), id: z.string().nullable() }),
    orderNumber: z.string().nullable().describe('of an order or a delivery'),
    reason: z.string(),
    amount: money.nullable(),
    details: z.record(z.string(), z.unknown()).describe('what was asked for, and what changed'),
    requestId: z.string().nullable(),
    approvalId: uuid.nullable().describe('the approval that it waited for'),
  })
  .meta({ id: 'AuditRow' });
export type AuditRow = z.output<typeof AuditRow>;

export const AUDIT_PAGE = 50;

export const listAudit = operatorCall({
  method: 'GET',
  path: '/operator/audit',
  permission: 'admin',
  query: strict({
    before: numberInQuery(z.int().min(1), 'before must be the number of a row').optional(),
    subjectKind: oneOf(AUDIT_SUBJECTS, `subjectKind must be one of ${AUDIT_SUBJECTS.join(', ')}`).optional(),
    subjectId: id('subjectId').optional(),
    operatorId: id('operatorId').optional(),
    q: optionalText('q', 100, 'one'),
  }),
  answer: z
    .object({ items: z.array(AuditRow).max(AUDIT_PAGE), next: z.int().nullable().describe('the next `before`') })
    .meta({ id: 'AuditPage' }),
  status: 200,
  failures: [],
  summary: 'Who did what, newest first',
  example: { query: {} },
});

export const verifyAudit = operatorCall({
  method: 'GET',
  path: '/operator/audit/verify',
  permission: 'admin',
  answer: z
    .object({
      rows: z.int(),
      lastAt: time.nullable(),
      brokenAt: z.int().nullable().describe('the first row that was changed or removed later'),
    })
    .meta({ id: 'AuditVerification' }),
  status: 200,
  failures: ['keyMissing'],
  summary: 'Check every row of the audit against the hash of the row before it',
});
