import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { DELIVERY_STATUSES, type DeliveryStatus } from '../../domain/deliveries.ts';
import * as domain from '../../domain/process/holder.ts';
import { isOnBoard, isRelayed } from './columns.sql.ts';
import { openEmbeddedDatabase, queryRows } from './database.ts';

type Cell = { readonly status: DeliveryStatus; readonly hasLaundry: boolean; readonly carrierId: string | null };

test('the database knows who has the laundry of a delivery as the domain does, at every status', async () => {
  const { db, close } = await openEmbeddedDatabase(undefined);
  try {
    const cells = await queryRows<Cell & { readonly onBoard: boolean; readonly relayed: boolean }>(
      db,
      sql`select d.status, d.has_laundry as "hasLaundry", d.carrier_id as "carrierId",
          ${isOnBoard('d')} as "onBoard", ${isRelayed('d')} as relayed
        from (select * from unnest(${[...DELIVERY_STATUSES]}::text[]) as s (status), (values (true), (false)) l (has_laundry),
          (values ('a Duber'), (null)) c (carrier_id)) d`,
    );
    expect(cells).toHaveLength(DELIVERY_STATUSES.length * 4);
    for (const { onBoard, relayed, ...cell } of cells)
      expect({ ...cell, onBoard, relayed }).toEqual({
        ...cell,
        ...{ onBoard: domain.isOnBoard(cell), relayed: domain.isRelayed(cell) },
      });
  } finally {
    await close();
  }
});
