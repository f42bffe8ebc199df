import type { Mutant } from './mutant.ts';

/** What people read of each other, and what the log and a device keep. */
export const PRIVACY_MUTANTS: readonly Mutant[] = [
  {
    mutant: 'anyone who knows an order id can read the order',
    at: 'server/orders/orders.sql.ts#ownedBy',
    replace: ['${columnOf(role)} = ${id}::uuid', '(${columnOf(role)} = ${id}::uuid or true)'],
    suite: 'promises/visibility.test.ts',
  },
  {
    mutant: 'a Duber reads the contacts of a delivery that is not theirs',
    at: 'server/visibility/viewRules.sql.ts#VISIBLE_TO.Duber.contacts',
    becomes: 'ALWAYS',
    suite: 'promises/visibility.test.ts',
  },
  {
    mutant: 'a Scrub keeps the contacts of a Bud whose order was called off',
    at: 'server/visibility/viewRules.sql.ts#VISIBLE_TO.Scrub.budContacts',
    replace: ['IS_OPEN_TO_SCRUB', 'ALWAYS'],
    suite: 'promises/visibility.test.ts',
  },
  {
    mutant: 'the policy careful does not round places',
    at: 'server/visibility/addresses.sql.ts#addressJson',
    replace: ['ifElse(isExact,', 'ifElse(ALWAYS,'],
    suite: 'promises/visibility.test.ts',
  },
  {
    mutant: 'addresses are logged',
    at: 'server/http/httpServer.ts#createHttpServer',
    replace: [
      'ms: Math.round(reply.elapsedTime)',
      'ms: Math.round(reply.elapsedTime), said: (request.body as { address?: string })?.address',
    ],
    suite: 'promises/visibility.test.ts',
  },
  {
    mutant: 'a tax number is in the log',
    at: 'server/payments/payouts/taxIds.ts#taxIdHandlers.changeTaxId',
    replace: ["wake('mail');", "wake('mail'); context.log.info({ taxId }, 'a tax number was entered');"],
    suite: 'promises/visibility.test.ts',
  },
  {
    mutant: 'a Duber keeps the contacts of a delivery that was called off',
    at: 'server/visibility/viewRules.sql.ts#endOf',
    replace: ['coalesce(${alias}.delivered_at, ${alias}.stopped_at)', '${alias}.delivered_at'],
    suite: 'server/deliveries/exceptionVisibility.test.ts',
  },
  {
    mutant: 'anybody with the role reads any case',
    at: 'server/visibility/viewRules.sql.ts#isOfCase',
    remove: 'and p.user_id = ${userId}::uuid',
    suite: 'server/cases/cases.test.ts',
  },
  {
    mutant: 'somebody else reads the document of a worker',
    at: 'server/files/fileVisibility.sql.ts#SEES_FILES_OF.document',
    becomes: 'sql<boolean>`true`',
    suite: 'server/admissions/admissions.test.ts',
  },
  {
    mutant: 'everybody who knows the id of a photo sees it',
    at: 'server/files/files.sql.ts#findVisibleFile',
    remove: '.where(seesFile({ id: sql`${viewerId}`, now: sql`${now}` }))',
    suite: 'server/files/files.test.ts',
  },
  {
    mutant: 'the people of every order see the photos of one',
    at: 'server/files/fileVisibility.sql.ts#isOfDelivery',
    remove: 'd.id = ${deliveryId} and',
    suite: 'server/files/files.test.ts',
  },
  {
    mutant: 'a small photo is kept as it was sent, with the place in its EXIF',
    at: 'server/files/files.ts#createFile.reencoded',
    replace: ['await reencode(context, input)', '{ ...(await reencode(context, input)), bytes: photo }'],
    suite: 'server/files/files.test.ts',
  },
  {
    mutant: 'an operator reads where people live without saying why',
    at: 'server/operator/order.ts#readTownOrder.head',
    replace: ['placesUntil !== undefined', 'true'],
    suite: 'server/operator/shownPlaces.test.ts',
  },
  {
    mutant: 'a contact that one operator has asked for is shown to all',
    at: 'server/operator/people.sql.ts#findShownAt',
    remove: 'and operator_id = ${operatorId}',
    suite: 'server/operator/people.test.ts',
  },
  {
    mutant: 'a Bud reads the receipt of somebody else',
    at: 'server/payments/ledger/receipts.sql.ts#findOrderPayment',
    skip: 'where[o.bud_id]',
    suite: 'server/payments/ledger/receipts.test.ts',
  },
  {
    mutant: 'the whole tax number is shown again',
    at: 'server/payments/payouts/taxIds.ts#taxIdHandlers.changeTaxId',
    set: ['last4', 'number'],
    suite: 'server/payments/payouts/taxIds.test.ts',
  },
  {
    mutant: 'a tax number is stored as it was typed',
    at: 'server/payments/payouts/taxIds.ts#taxIdHandlers.changeTaxId.sealed',
    becomes: "Buffer.concat([sealer.seal(''), Buffer.from(JSON.stringify(taxId))])",
    suite: 'server/payments/payouts/taxIds.test.ts',
  },
  {
    mutant: 'asking for one property of an approximate place shows the exact one',
    at: 'server/db/json.sql.ts#partsOfEither',
    replace: ['no[name] ?? nullJson', 'no[name] ? property : nullJson'],
    suite: 'server/db/answerFields.test.ts',
  },
  {
    mutant: 'two callers of the same statement on a pipelined connection share one answer',
    at: 'server/db/pipeline.ts#openPipeline.executeQuery',
    replace: [
      'await client.query(sql, [...parameters])',
      'await ((client as never as Record<string, unknown>)[sql] ??= client.query(sql, [...parameters]))',
    ],
    suite: 'server/db/pipeline.test.ts',
  },
  {
    mutant: 'a PIN stays on the device for days',
    at: 'web/offline/isCacheable.ts#isCacheable',
    remove: '!isCustodyKey(key)',
    suite: 'web/offline/isCacheable.test.ts',
  },
  {
    mutant: 'the PIN, place and note of a step that was not sent stay on the phone after the sign-out',
    at: 'web/offline/storedSteps.ts#endStoredSteps',
    replace: [
      'withoutDetails(step, step.problem ?? SIGNED_OUT)',
      '{ ...step, photos: [], problem: step.problem ?? SIGNED_OUT }',
    ],
    suite: 'web/session/session.test.ts',
  },
  {
    mutant: 'the next person to sign in sees the result of a step of the previous one',
    at: 'web/api/queryClient.ts#waitIfNotTheirs.isTheirs',
    becomes: 'true',
    suite: 'web/deliveries/queuedSteps/useDelivery.test.ts',
  },
];
