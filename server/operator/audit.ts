import { AUDIT_PAGE, type AuditRow } from '../../contract/operator/audit.ts';
import { formatOrderNumber } from '../../domain/orders.ts';
import type { Sealer } from '../auth/sealing.ts';
import type { Tx } from '../db/database.ts';
import { refuse } from '../http/refusals.ts';
import type { ConsoleContext, OperatorHandlers } from '../operatorContext.ts';
import {
  type AuditEntry,
  hashOf,
  listAuditEntries,
  readAuditHead,
  readAuditInOrder,
  SEARCHED_AT_ONCE,
  type SealableAuditEntry,
  type StoredAuditEntry,
} from './audit.sql.ts';

export const auditHandlers = ({ db, sealer }: ConsoleContext): Pick<OperatorHandlers, 'listAudit' | 'verifyAudit'> => ({
  listAudit: async ({ query: { q, ...filter } }) => {
    const words = q ?? undefined;
    const rows = await listAuditEntries(db, { ...filter, words }, AUDIT_PAGE + 1);
    const items = rows.slice(0, AUDIT_PAGE).map(toAuditRow);
    if (rows.length > AUDIT_PAGE) return { items, next: items.at(-1)?.id ?? null };
    // The next page continues the search.
    const from = filter.before ?? (words ? (await readAuditHead(db)).id + 1 : 0);
    return { items, next: words && from > SEARCHED_AT_ONCE ? from - SEARCHED_AT_ONCE + 1 : null };
  },
  verifyAudit: async () => {
    const { rows, lastAt, brokenAt } = await verifyAuditChain(db, sealer);
    return { rows, lastAt: lastAt?.toISOString() ?? null, brokenAt };
  },
});

/** A name with its id; null for nobody. */
export const nameOrNull = (id: string | null, name: string | null) => (name === null ? null : { id, name });

export const toAuditRow = (row: Awaited<ReturnType<typeof listAuditEntries>>[number]): AuditRow => ({
  id: row.id,
  at: row.at.toISOString(),
  by: { id: row.operatorId, name: row.operatorName },
  approvedBy: nameOrNull(row.approvedBy, row.approvedByName),
  action: row.action,
  subject: { kind: row.subjectKind, id: row.subjectId },
  orderNumber: row.orderNumber === null ? null : formatOrderNumber(Number(row.orderNumber)),
  reason: row.reason,
  amount: row.cents === null ? null : row.cents / 100,
  details: JSON.parse(row.details) as Record<string, unknown>,
  requestId: row.requestId,
  approvalId: row.approvalId,
});

/** A row with the texts that its hash covers. Those about a person who was erased are encrypted; undefined for a damaged one. */
function readable({ sealed, ...row }: SealableAuditEntry, sealer: Sealer | undefined): StoredAuditEntry | undefined {
  if (!sealed) return row;
  if (!sealer) throw new Error('the audit has encrypted rows, which need the key of the installation');
  if (!sealer.isOwn(sealed)) return refuse('keyMissing');
  try {
    return { ...row, ...(JSON.parse(sealer.unseal(sealed)) as Pick<AuditEntry, 'reason' | 'details'>) };
  } catch {
    return undefined;
  }
}

/** Checks every row against the hash of the row before. `brokenAt` is the first that was changed or is missing. */
export async function verifyAuditChain(db: Tx, sealer?: Sealer) {
  // Read before the rows, so that acts written meanwhile come after it.
  const head = await readAuditHead(db);
  let previous: Buffer = Buffer.alloc(0);
  let rows = 0;
  let lastAt: Date | undefined;
  for await (const stored of readAuditInOrder(db)) {
    const row = readable(stored, sealer);
    if (row === undefined) return { rows, lastAt, brokenAt: rows + 1 };
    if (row.id !== rows + 1 || !hashOf(row, previous).equals(row.hash)) return { rows, lastAt, brokenAt: rows + 1 };
    previous = row.hash;
    rows += 1;
    lastAt = row.at;
    if (rows === head.id && !row.hash.equals(head.hash)) return { rows: rows - 1, lastAt, brokenAt: rows };
  }
  return { rows, lastAt, brokenAt: rows < head.id ? rows + 1 : null };
}
