import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { City } from './city/types.ts';
import { listCategories, lookUpCategory, retrieve, reverse, suggest } from './places/endpoints.ts';
import { type Gazetteer, openGazetteer } from './places/gazetteer.ts';
import { type Heard, showPlaces } from './places/placesPage.ts';
import type { Asked, Query } from './places/query.ts';

const PLACES_PATH = '/sandbox/places';
const VENDOR_PATH = `${PLACES_PATH}/search/searchbox/v1`;
const REMEMBERED = 200;

// The search half of the map vendor's wire, over a made-up city. The product's base address for it ends in PLACES_PATH.
// The city may be drawn while it is served already: who asks early waits. Its index is made when first asked.
export function servePlaces({ city }: { city: City | Promise<City> }): FastifyPluginAsync {
  let gazetteer!: Gazetteer;
  const open = async () => {
    const drawn = await city;
    gazetteer ??= openGazetteer(drawn);
  };
  const heard: Heard[] = [];

  const answer: Answer = (request, reply, asked) => {
    heard.unshift(toHeard(request, asked, Date.now()));
    heard.splice(REMEMBERED);
    reply.header('access-control-allow-origin', '*').header('cache-control', 'no-cache');
    if (asked.ok) return reply.send(asked.value);
    return reply.code(asked.status).send({ message: asked.message });
  };

  return async (app) => {
    app.addHook('onRequest', open);
    serveVendor(app, () => gazetteer, answer);
    app.options(`${PLACES_PATH}/search/*`, (_request, reply) => reply.code(204).headers(PREFLIGHT).send());
    app.get(`${PLACES_PATH}/search/*`, (request, reply) =>
      answer(request, reply, { ok: false, status: 404, message: 'Not Found' }),
    );
    app.get<{ Querystring: Query }>(PLACES_PATH, (request, reply) =>
      reply
        .type('text/html; charset=utf-8')
        .send(showPlaces(gazetteer, heard, String(request.query.q ?? '').slice(0, 256))),
    );
  };
}

type Answer = <T>(request: FastifyRequest, reply: FastifyReply, asked: Asked<T>) => FastifyReply;
type Asking = { Querystring: Query; Params: { id: string } };

const PREFLIGHT = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET',
  'access-control-allow-headers': '*',
  'access-control-max-age': '86400',
};

function serveVendor(app: FastifyInstance, gazetteer: () => Gazetteer, answer: Answer): void {
  app.get<Asking>(`${VENDOR_PATH}/suggest`, (request, reply) =>
    answer(request, reply, suggest(gazetteer(), request.query, randomUUID())),
  );
  app.get<Asking>(`${VENDOR_PATH}/retrieve/:id`, (request, reply) =>
    answer(request, reply, retrieve(gazetteer(), request.query, request.params.id)),
  );
  app.get<Asking>(`${VENDOR_PATH}/category/:id`, (request, reply) =>
    answer(request, reply, lookUpCategory(gazetteer(), request.query, request.params.id)),
  );
  app.get<Asking>(`${VENDOR_PATH}/reverse`, (request, reply) =>
    answer(request, reply, reverse(gazetteer(), request.query)),
  );
  app.get<Asking>(`${VENDOR_PATH}/list/category`, (request, reply) =>
    answer(request, reply, listCategories(request.query)),
  );
}

function toHeard(request: FastifyRequest, asked: Asked<unknown>, at: number): Heard {
  const url = new URL(request.url, 'http://sandbox');
  const asks = [...url.searchParams].map(([name, value]): [string, string] => [name, shorten(name, value)]);
  const path = url.pathname.slice(VENDOR_PATH.length) || url.pathname;
  if (!asked.ok) return { at, path, asks, status: asked.status, outcome: asked.message };
  const value = asked.value as { suggestions?: unknown[]; features?: unknown[]; listItems?: unknown[] };
  const count = (value.suggestions ?? value.features ?? value.listItems ?? []).length;
  return { at, path, asks, status: 200, outcome: count === 1 ? '1 result' : `${count} results` };
}

// Tokens are secrets even here: the real one may have been sent by mistake.
function shorten(name: string, value: string): string {
  const isToken = /token/i.test(name);
  if (isToken) return value.length > 8 ? `${value.slice(0, 4)}…` : '…';
  return value.length > 80 ? `${value.slice(0, 80)}…` : value;
}
