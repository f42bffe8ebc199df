// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are source code

import type { PlantedBug } from './plantedBug.ts';

const RACES = 'promises/races.test.ts';
const WORKFLOW_MODEL = 'promises/workflowModel.test.ts';
const CONFLICTING_STEPS = 'promises/conflictingSteps.test.ts';
const KILL_EMBEDDED = 'promises/killEmbedded.test.ts';
const KILL_POSTGRES = 'promises/killPostgres.test.ts';
const PAYMENT_STRESS = 'server/payments/paymentStress.test.ts';
const DATA_DIR_LOCK = 'promises/dataDirLock.test.ts';
const VISIBILITY = 'promises/visibility.test.ts';
const FUZZ = 'promises/fuzz.test.ts';
const DATABASE_OUTAGE = 'promises/databaseOutage.test.ts';
const EVENT_STREAM = 'promises/eventStream.test.ts';
const PIPELINE = 'server/db/pipeline.test.ts';

const EARLY_ANSWER = `return new Promise<T>((resolve, reject) => {
    db.transaction().execute(async (tx) => {
      const done = await work(tx);
      resolve(done);
      await new Promise((go) => setTimeout(go, 60));
      return done;
    }).catch(reject);
  });`;

/** Bugs in steps, payments, visibility, events and the database. */
export const BUSINESS_BUGS: readonly PlantedBug[] = [
  {
    bug: 'a delivery is accepted without checking its status',
    file: 'server/deliveries/deliverySteps.sql.ts',
    find: 'where d.id = ${id} and d.status = ${from}::text',
    replace: 'where d.id = ${id}',
    suite: RACES,
    cases: 300,
  },
  {
    bug: 'a Duber may have two active deliveries at once',
    file: 'server/db/migrations/024_exceptions.ts',
    find: 'create unique index concurrently deliveries_once_active',
    replace: 'create index concurrently deliveries_once_active',
    suite: RACES,
    cases: 300,
  },
  {
    bug: 'an order step does not check the status',
    file: 'server/orders/orderSteps.sql.ts',
    find: 'where o.id = ${id} and o.status = ${from} and ${scope} returning',
    replace: 'where o.id = ${id} and ${scope} returning',
    suite: RACES,
    cases: 300,
  },
  {
    bug: 'an order can be started before it is accepted',
    file: 'domain/orders.ts',
    find: "{ action: 'start-order', from: 'Accepted',",
    replace: "{ action: 'start-order', from: 'Requested',",
    suite: WORKFLOW_MODEL,
    cases: 200,
  },
  {
    bug: 'a delivery skips a stage',
    file: 'domain/deliveries.ts',
    find: "from: 'Way_To_Pick', to: 'Collected'",
    replace: "from: 'Way_To_Pick', to: 'Way_To_Drop'",
    suite: WORKFLOW_MODEL,
    cases: 200,
  },
  {
    bug: 'a Duber may advance the delivery of another',
    file: 'server/deliveries/deliverySteps.sql.ts',
    find: 'else d.duber_id = ${duber}::uuid end',
    replace: 'else true end',
    suite: WORKFLOW_MODEL,
    cases: 200,
  },
  {
    bug: 'two simultaneous steps both change an order',
    file: 'server/orders/orderSteps.sql.ts',
    find: 'where o.id = ${id} and o.status = ${from} and ${scope} returning',
    replace: 'where o.id = ${id} and ${scope} returning',
    suite: CONFLICTING_STEPS,
    cases: 200,
  },
  {
    bug: 'the card hold of a rejected order is never released',
    file: 'server/orders/orders.ts',
    find: "if (status === 'Cancelled' || status === 'Rejected') await releaseOrder",
    replace: "if (status === 'Cancelled') await releaseOrder",
    suite: CONFLICTING_STEPS,
    cases: 60,
  },
  {
    bug: 'answers before the commit, on the embedded database',
    file: 'server/db/database.ts',
    find: 'return db.transaction().execute(work);',
    replace: EARLY_ANSWER,
    suite: KILL_EMBEDDED,
    // Few kills happen between such an answer and its commit.
    cases: 30,
  },
  {
    bug: 'the embedded database does not write before it acknowledges',
    file: 'server/db/database.ts',
    find: "plan_cache_mode: 'force_generic_plan'",
    replace: "synchronous_commit: 'off', plan_cache_mode: 'force_generic_plan'",
    suite: KILL_EMBEDDED,
  },
  {
    bug: 'answers before the commit, on PostgreSQL',
    file: 'server/db/database.ts',
    find: 'return db.transaction().execute(work);',
    replace: EARLY_ANSWER,
    suite: KILL_POSTGRES,
  },
  {
    bug: 'PostgreSQL does not write before it acknowledges',
    file: 'server/db/database.ts',
    find: "plan_cache_mode: 'force_generic_plan'",
    replace: "synchronous_commit: 'off', plan_cache_mode: 'force_generic_plan'",
    suite: KILL_POSTGRES,
  },
  {
    bug: 'each retry of a hold has a different key',
    file: 'server/payments/square.ts',
    find: 'idempotencyKey: holdKey(orderId),',
    replace: 'idempotencyKey: crypto.randomUUID(),',
    suite: PAYMENT_STRESS,
    cases: 200,
  },
  {
    bug: 'a card is charged before the accept is committed',
    file: 'server/orders/orders.ts',
    find: '  const step = await transactStep(db, async (tx) => {\n    const isWeighed',
    replace: `  if (action === 'accept-order') {
    const held = await db.selectFrom('payments').select(['square_id as squareId', 'version_token as versionToken', 'amount'])
      .where('order_id', '=', id).executeTakeFirst();
    if (held) await context.cards.capture({ orderId: id, ...held }).catch(() => undefined);
  }
  const step = await transactStep(db, async (tx) => {\n    const isWeighed`,
    suite: PAYMENT_STRESS,
    cases: 150,
  },
  {
    bug: 'a capture is not written to the ledger',
    file: 'server/payments/captures.ts',
    find: "await writeLedgerEntry(tx, { kind: 'captured',",
    replace: "if (at.getTime() === 0) await writeLedgerEntry(tx, { kind: 'captured',",
    suite: PAYMENT_STRESS,
    cases: 200,
  },
  {
    bug: 'a directory that another process holds is opened anyway',
    file: 'server/db/dataDirLock.ts',
    find: 'if (holder && isAlive(holder)) throw new DataDirLockedError(folder, holder.pid);',
    replace: '',
    suite: DATA_DIR_LOCK,
    cases: 2,
  },
  {
    bug: 'the data directory is not locked',
    file: 'scripts/openProduct.ts',
    find: 'if (!config.databaseUrl) onClose(lockDataDir(config.dataDir).release);',
    replace: 'if (!config.databaseUrl) onClose(() => lockDataDir);',
    suite: DATA_DIR_LOCK,
    cases: 2,
  },
  {
    bug: 'anyone who knows an order id can read the order',
    file: 'server/orders/orders.sql.ts',
    find: 'sql<boolean>`${columnOf(role)} = ${id}::uuid`;',
    replace: 'sql<boolean>`(${columnOf(role)} = ${id}::uuid or true)`;',
    suite: VISIBILITY,
  },
  {
    bug: 'a Duber reads the contacts of a delivery that is not theirs',
    file: 'server/visibility/viewRules.sql.ts',
    find: 'const contacts = canDuberSeeContacts(viewer);',
    replace: 'const contacts = ALWAYS;',
    suite: VISIBILITY,
  },
  {
    bug: 'anyone who knows an address id can change the address',
    file: 'server/places/places.sql.ts',
    find: ".set(address)\n    .where('id', '=', id)\n    .where('user_id', '=', owner)",
    replace: ".set(address)\n    .where('id', '=', id)",
    suite: VISIBILITY,
  },
  {
    bug: 'addresses are logged',
    file: 'server/http/httpServer.ts',
    find: 'ms: Math.round(reply.elapsedTime) },',
    replace: 'ms: Math.round(reply.elapsedTime), said: (request.body as { address?: string })?.address },',
    suite: VISIBILITY,
  },
  {
    bug: 'text that PostgreSQL cannot store reaches PostgreSQL',
    file: 'domain/texts.ts',
    find: '|\\p{Surrogate}/u;',
    replace: '|\\p{Surrogate}/u;\nCONTROL_CHARACTER.test = () => false;',
    suite: FUZZ,
  },
  {
    bug: 'times that PostgreSQL cannot store reach PostgreSQL',
    file: 'contract/lists.ts',
    find: '!/^0000|[+-](1[6-9]|2\\d):\\d\\d$/.test(String(value))',
    replace: "String(value) !== ''",
    suite: FUZZ,
  },
  {
    bug: 'a full disk answers 500',
    file: 'server/db/database.ts',
    find: '|25P03|53|57|58|',
    replace: '|25P03|57|58|',
    suite: DATABASE_OUTAGE,
  },
  {
    bug: 'a statement that times out answers 500',
    file: 'server/db/database.ts',
    find: '|25P03|53|57|58|',
    replace: '|25P03|53|57P|58|',
    suite: DATABASE_OUTAGE,
  },
  {
    bug: 'queries wait for a database that does not answer',
    file: 'server/db/database.ts',
    find: 'const ANSWER_TIMEOUT_MS = 5_000;',
    replace: 'const ANSWER_TIMEOUT_MS = 500_000;',
    suite: DATABASE_OUTAGE,
  },
  {
    bug: 'a connection that breaks during use crashes the server',
    file: 'server/db/database.ts',
    find: "clients.add(client.on('error', () => {}).once(",
    replace: 'clients.add(client.once(',
    suite: DATABASE_OUTAGE,
  },
  {
    bug: 'a resumed stream skips missed events',
    file: 'server/events/stream.ts',
    find: 'if (isResumed) await sendMissedEvents(',
    replace: 'if (isResumed && !reply.raw.headersSent) await sendMissedEvents(',
    suite: EVENT_STREAM,
    cases: 200,
  },
  {
    bug: 'a Duber receives no events about their own delivery',
    file: 'server/events/publish.ts',
    find: 'array[${d}.bud_id, ${d}.scrub_id, ${d}.duber_id]',
    replace: 'array[${d}.bud_id, ${d}.scrub_id]',
    suite: EVENT_STREAM,
    cases: 200,
  },
  {
    bug: 'Dubers who are too far away receive events too',
    file: 'server/db/nearby.sql.ts',
    find: 'and ${metersBetween(a, b)} <= ${sql.lit(NEARBY_RADIUS_M)}',
    replace: 'and ${metersBetween(a, b)} <= 10 * ${sql.lit(NEARBY_RADIUS_M)}',
    suite: EVENT_STREAM,
    cases: 200,
  },
  {
    bug: 'events that arrive while a stream catches up are sent twice',
    file: 'server/events/stream.ts',
    find: 'if (isAfter(event.cursor, after)) write(event);',
    replace: 'write(event);',
    suite: EVENT_STREAM,
    cases: 300,
  },
  {
    bug: 'two callers of the same statement on a pipelined connection share one answer',
    file: 'server/db/pipeline.ts',
    find: 'await client.query(sql, [...parameters])',
    replace: 'await ((client as never as Record<string, unknown>)[sql] ??= client.query(sql, [...parameters]))',
    suite: PIPELINE,
  },
  {
    bug: 'a broken pipelined connection is used again',
    file: 'server/db/pipeline.ts',
    find: 'if (connected === connecting) connected = undefined;',
    replace: '',
    suite: PIPELINE,
  },
  {
    bug: 'closing a pipelined connection waits for a database that has stopped',
    file: 'server/db/pipeline.ts',
    find: 'void client?.end();',
    replace: 'await client?.end();',
    suite: PIPELINE,
  },
  {
    bug: 'a statement that could not be prepared because of a lock answers 500',
    file: 'server/db/database.ts',
    find: '|26000|42P05',
    replace: '',
    suite: PIPELINE,
  },
];
