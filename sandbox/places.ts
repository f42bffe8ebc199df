import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { City } from './city/types.ts';
import { listCategories, lookUpCategory, retrieve, reverse, suggest } from './places/endpoints.ts';
import { createGazetteer, type Gazetteer } from './places/gazetteer.ts';
import { type LoggedRequest, renderPlacesPage } from './places/placesPage.ts';
import type { Query, QueryResult } from './places/query.ts';

const PLACES_PATH = '/sandbox/places';
const SEARCH_API_PATH = `${PLACES_PATH}/search/searchbox/v1`;
const MAX_LOGGED_REQUESTS = 200;

/**
 * The search part of the map vendor's API, over a made-up city. Its base address ends in PLACES_PATH.
 * Requests wait until the city is generated. The search index is built on first use.
 */
export function servePlaces({ city }: { city: City | Promise<City> }): FastifyPluginAsync {
  let gazetteer!: Gazetteer;
  const open = async () => {
    const drawn = await city;
    gazetteer ??= createGazetteer(drawn);
  };
  const requests: LoggedRequest[] = [];

  const answer: SendResult = (request, reply, asked) => {
    requests.unshift(toLoggedRequest(request, asked, Date.now()));
    requests.splice(MAX_LOGGED_REQUESTS);
    reply.header('access-control-allow-origin', '*').header('cache-control', 'no-cache');
    if (asked.ok) return reply.send(asked.value);
    return reply.code(asked.status).send({ message: asked.message });
  };

  return async (app) => {
    app.addHook('onRequest', open);
    serveSearchApi(app, () => gazetteer, answer);
    app.options(`${PLACES_PATH}/search/*`, (_request, reply) => reply.code(204).headers(PREFLIGHT_HEADERS).send());
    app.get(`${PLACES_PATH}/search/*`, (request, reply) =>
      answer(request, reply, { ok: false, status: 404, message: 'Not Found' }),
    );
    app.get<{ Querystring: Query }>(PLACES_PATH, (request, reply) =>
      reply
        .type('text/html; charset=utf-8')
        .send(renderPlacesPage(gazetteer, requests, String(request.query.q ?? '').slice(0, 256))),
    );
  };
}

type SendResult = <T>(request: FastifyRequest, reply: FastifyReply, asked: QueryResult<T>) => FastifyReply;
type SearchRequest = { Querystring: Query; Params: { id: string } };

const PREFLIGHT_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET',
  'access-control-allow-headers': '*',
  'access-control-max-age': '86400',
};

function serveSearchApi(app: FastifyInstance, gazetteer: () => Gazetteer, answer: SendResult): void {
  app.get<SearchRequest>(`${SEARCH_API_PATH}/suggest`, (request, reply) =>
    answer(request, reply, suggest(gazetteer(), request.query, randomUUID())),
  );
  app.get<SearchRequest>(`${SEARCH_API_PATH}/retrieve/:id`, (request, reply) =>
    answer(request, reply, retrieve(gazetteer(), request.query, request.params.id)),
  );
  app.get<SearchRequest>(`${SEARCH_API_PATH}/category/:id`, (request, reply) =>
    answer(request, reply, lookUpCategory(gazetteer(), request.query, request.params.id)),
  );
  app.get<SearchRequest>(`${SEARCH_API_PATH}/reverse`, (request, reply) =>
    answer(request, reply, reverse(gazetteer(), request.query)),
  );
  app.get<SearchRequest>(`${SEARCH_API_PATH}/list/category`, (request, reply) =>
    answer(request, reply, listCategories(request.query)),
  );
}

function toLoggedRequest(request: FastifyRequest, asked: QueryResult<unknown>, at: number): LoggedRequest {
  const url = new URL(request.url, 'http://sandbox');
  const asks = [...url.searchParams].map(([name, value]): [string, string] => [name, redactParam(name, value)]);
  const path = url.pathname.slice(SEARCH_API_PATH.length) || url.pathname;
  if (!asked.ok) return { at, path, params: asks, status: asked.status, summary: asked.message };
  const value = asked.value as { suggestions?: unknown[]; features?: unknown[]; listItems?: unknown[] };
  const count = (value.suggestions ?? value.features ?? value.listItems ?? []).length;
  return { at, path, params: asks, status: 200, summary: count === 1 ? '1 result' : `${count} results` };
}

// Tokens are hidden even here: somebody may have sent a real one by mistake.
function redactParam(name: string, value: string): string {
  const isToken = /token/i.test(name);
  if (isToken) return value.length > 8 ? `${value.slice(0, 4)}…` : '…';
  return value.length > 80 ? `${value.slice(0, 80)}…` : value;
}
