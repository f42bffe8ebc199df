import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { City } from './city/types.ts';
import { type CompressedBody, compress, sendCompressed } from './map/compressedReply.ts';
import { toGeoJson } from './map/geoJson.ts';
import { renderMapPage } from './map/mapPage.ts';
import type { Theme } from './map/palette.ts';
import { toMapStyle } from './map/style.ts';
import { createHouseTiles, TILE_ZOOM } from './map/tiles.ts';

const MAP_PATH = '/sandbox/map';
const CACHE_IMMUTABLE = 'public, max-age=31536000, immutable';
const CACHE_REVALIDATE = 'no-cache';

type TileRequest = { Params: { z: string; x: string; y: string } };

/**
 * The made-up city's map: style, data and a page. Without `publicUrl`, links use the host of the request.
 * Requests wait until the city is generated. The page's drawing is made on first use.
 */
export function serveMap(given: { city: City | Promise<City>; publicUrl?: string | undefined }): FastifyPluginAsync {
  const { publicUrl } = given;
  let sheet!: PreparedMap;
  const draw = async () => {
    const city = await given.city;
    sheet ??= prepareMap(city);
  };

  const sendStyle = (request: FastifyRequest, reply: FastifyReply, theme: Theme) => {
    const { city, version } = sheet;
    const host = publicUrl ?? `${request.protocol}://${request.host}`;
    const style = toMapStyle(city, theme, `${host.replace(/\/$/, '')}${MAP_PATH}`, version);
    return sendCompressed(request, reply, compress('application/json', JSON.stringify(style)), CACHE_REVALIDATE);
  };

  return async (app) => {
    app.addHook('onRequest', draw);
    app.get<{ Querystring: { theme?: string } }>(`${MAP_PATH}/style.json`, (request, reply) =>
      sendStyle(request, reply, request.query.theme === 'dark' ? 'dark' : 'light'),
    );
    app.get(`${MAP_PATH}/style-dark.json`, (request, reply) => sendStyle(request, reply, 'dark'));
    app.get<{ Querystring: { v?: string } }>(`${MAP_PATH}/city.json`, (request, reply) =>
      sendCompressed(
        request,
        reply,
        sheet.data,
        request.query.v === sheet.version ? CACHE_IMMUTABLE : CACHE_REVALIDATE,
      ),
    );
    app.get<TileRequest & { Querystring: { v?: string } }>(`${MAP_PATH}/houses/:z/:x/:y.pbf`, (request, reply) => {
      const [z, x, y] = [request.params.z, request.params.x, request.params.y].map(Number) as [number, number, number];
      const isTile = z === TILE_ZOOM && [x, y].every((n) => Number.isInteger(n) && n >= 0 && n < 2 ** TILE_ZOOM);
      if (!isTile) return reply.code(404).send({ message: 'Tile not found' });
      return sendCompressed(
        request,
        reply,
        sheet.tileAt(x, y),
        request.query.v === sheet.version ? CACHE_IMMUTABLE : CACHE_REVALIDATE,
      );
    });
    app.get<{ Querystring: { at?: string } }>(MAP_PATH, (request, reply) => {
      const html = compress('text/html; charset=utf-8', renderMapPage(sheet.city, String(request.query.at ?? '')));
      return sendCompressed(request, reply, html, CACHE_REVALIDATE);
    });
  };
}

type PreparedMap = ReturnType<typeof prepareMap>;

// What is the same for every viewer.
function prepareMap(city: City) {
  const data = compress('application/geo+json', JSON.stringify(toGeoJson(city)));
  return { city, data, tileAt: cacheTiles(city), version: `${city.seed}-${data.hash.slice(0, 8)}` };
}

function cacheTiles(city: City): (x: number, y: number) => CompressedBody {
  const tiles = createHouseTiles(city);
  const drawn = new Map<string, CompressedBody>();
  return (x, y) => {
    const key = `${x}/${y}`;
    const known = drawn.get(key);
    if (known) return known;
    const tile = compress('application/vnd.mapbox-vector-tile', tiles.encode(x, y));
    // Only tiles inside the city are cached: there are endless empty ones.
    if (tile.plain.length > 0) drawn.set(key, tile);
    return tile;
  };
}
