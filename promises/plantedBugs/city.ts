// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are source code

import type { PlantedBug } from './plantedBug.ts';

const CITY = 'promises/city.test.ts';
const planted = { suite: CITY, cases: 40 };

/** Bugs that simulated people must notice, with any seed. */
export const CITY_BUGS: readonly PlantedBug[] = [
  {
    bug: 'nobody tells the Scrub of a new status of their order',
    file: 'server/events/publish.ts',
    find: "const PEOPLE_OF_ORDER = peopleOfOrder(['Bud', 'Scrub']);",
    replace: "const PEOPLE_OF_ORDER = peopleOfOrder(['Bud']);",
    ...planted,
  },
  {
    bug: 'every mail is sent twice',
    file: 'server/mail/mailer.ts',
    find: 'await circuit.run(() => open.sendMail(mail));',
    replace: 'for (const _ of [1, 2]) await circuit.run(() => open.sendMail(mail));',
    ...planted,
  },
  {
    bug: 'a Scrub is paid for laundry that nobody has seen',
    file: 'server/payments/payoutHolds.sql.ts',
    find: 'const until = isOnItsWay ? null : new Date(at.getTime() + SEEN_AFTER_MS);',
    replace: "if (orderId !== '') return;\n  const until = at;",
    ...planted,
  },
  {
    bug: 'a Scrub gets a cent less for each order, and the platform a cent more',
    file: 'domain/ledger.ts',
    find: "credit('scrub', loadPrice, scrubId),\n    credit('platform-revenue', platformFee),",
    replace: "credit('scrub', loadPrice - 1, scrubId),\n    credit('platform-revenue', platformFee + 1),",
    ...planted,
  },
  {
    bug: 'nobody hears of a collected bag, and of the next step they do',
    file: 'server/events/publish.ts',
    find: '${whenOffered(sql`pickup_band`)} from moved m`);',
    replace: "${whenOffered(sql`pickup_band`)} from moved m where m.status <> 'Collected'`);",
    ...planted,
  },
  {
    bug: 'one event of thirty is not passed on to open streams',
    file: 'server/events/streamHub.ts',
    find: 'for (const subscriber of [...(subscribers.get(person) ?? [])]) subscriber.receive(event);',
    replace:
      'for (const subscriber of [...(subscribers.get(person) ?? [])]) if (Math.random() > 0.03) subscriber.receive(event);',
    ...planted,
  },
  {
    bug: 'a mail is sent once more after it was sent',
    file: 'server/notifications/outbox.sql.ts',
    find: "const isDone = outcome.state !== 'due';",
    replace:
      "if (outcome.state === 'sent' && message.channel === 'mail' && message.tries === 1) return;\n  const isDone = outcome.state !== 'due';",
    ...planted,
  },
  {
    bug: 'the fee of the platform is a cent too much, everywhere',
    file: 'domain/payments.ts',
    find: 'const platformFee = applyRate(loadPrice, tariff.platformFeeRate);',
    replace: 'const platformFee = applyRate(loadPrice, tariff.platformFeeRate) + 1;',
    ...planted,
  },
  {
    bug: 'a Duber gets a cent less for each delivery',
    file: 'domain/pays.ts',
    find: "const own = dropZeroLines([credit('duber', fromOrder, duberId)]);",
    replace: "const own = dropZeroLines([credit('duber', fromOrder - 1, duberId), credit('platform-revenue', 1)]);",
    ...planted,
  },
  {
    bug: 'a delivery that another Duber has is accepted once more',
    file: 'server/deliveries/deliverySteps.sql.ts',
    find: 'where d.id = ${id} and d.status = ${from}::text',
    replace: "where d.id = ${id} and (d.status = ${from}::text or ${from}::text = 'Pending' and d.status = 'Accepted')",
    ...planted,
  },
  {
    bug: 'the giver of a hand-over is always the Bud',
    file: 'server/handovers/recordHandover.ts',
    find: "coalesce(last.taker_role, 'Bud'), coalesce(last.taker_id, m.bud_id), m.taker_role, m.taker_id, ${bags}::integer,",
    replace: "'Bud', m.bud_id, m.taker_role, m.taker_id, ${bags}::integer,",
    ...planted,
  },
  {
    bug: 'a promo code is used once more than it may be, by all of the city',
    file: 'domain/promos.ts',
    find: 'uses >= maxUses)',
    replace: 'uses > maxUses)',
    ...planted,
  },
  {
    bug: 'a promo code takes a cent more off than it says, everywhere',
    file: 'domain/promos.ts',
    find: "const wanted = kind === 'amount' ? value :",
    replace: "const wanted = kind === 'amount' ? value + 1 :",
    ...planted,
  },
  {
    bug: 'a Bud may have 21 addresses',
    file: 'domain/places.ts',
    find: 'export const MAX_ADDRESSES = 20;',
    replace: 'export const MAX_ADDRESSES = 21;',
    ...planted,
  },
  {
    bug: 'a server answers with an order as it was a second ago',
    file: 'server/http/routes.ts',
    find: 'return sendJson(request, reply.code(call.status), jsonTextOf(orNotFound(result.answer)));',
    replace: `const text = jsonTextOf(orNotFound(result.answer));
        const key = request.headers.authorization + request.url;
        const cache = (globalThis.answers ??= new Map());
        const old = cache.get(key);
        if (old && Date.now() - old.at < 1_000) return sendJson(request, reply.code(call.status), old.text);
        cache.set(key, { at: Date.now(), text });
        return sendJson(request, reply.code(call.status), text);`,
    ...planted,
  },
  {
    bug: 'a payout contains what is on hold',
    file: 'server/payments/payouts.sql.ts',
    find: ".where(hold, 'is', null);",
    replace: '.where(sql<boolean>`(${hold} is null or true)`);',
    ...planted,
  },
  {
    bug: 'one push of ten is not sent, and stored as sent',
    file: 'server/notifications/send.ts',
    find: 'const response = await sender.send(target, push, { ttlS: remainingS, urgency }).catch((error: Error) => error);',
    replace: `if (Math.random() < 0.1) return { state: 'sent' };
  const response = await sender.send(target, push, { ttlS: remainingS, urgency }).catch((error: Error) => error);`,
    ...planted,
  },
  {
    bug: 'every push is sent twice',
    file: 'server/notifications/send.ts',
    find: 'const response = await sender.send(target, push, { ttlS: remainingS, urgency }).catch((error: Error) => error);',
    replace: `await sender.send(target, push, { ttlS: remainingS, urgency }).catch(() => undefined);
  const response = await sender.send(target, push, { ttlS: remainingS, urgency }).catch((error: Error) => error);`,
    ...planted,
  },
];
