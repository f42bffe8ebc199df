import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { City } from './city/types.ts';
import { type Packed, pack, sendPacked } from './map/compressedReply.ts';
import { toCityData } from './map/data.ts';
import { showMap } from './map/page.ts';
import type { Theme } from './map/palette.ts';
import { toStyle } from './map/style.ts';
import { cutTiles, TILE_ZOOM } from './map/tiles.ts';

const MAP_PATH = '/sandbox/map';
const FOR_GOOD = 'public, max-age=31536000, immutable';
const ASK_AGAIN = 'no-cache';

type TileAsked = { Params: { z: string; x: string; y: string } };

// The made-up city's map: style, data, and a page. Without `publicUrl`, addresses are those the request came by.
// The city may be drawn while it is served already: who asks early waits. The sheet is drawn when first looked at.
export function serveMap(given: { city: City | Promise<City>; publicUrl?: string | undefined }): FastifyPluginAsync {
  const { publicUrl } = given;
  let sheet!: Sheet;
  const draw = async () => {
    const city = await given.city;
    sheet ??= drawSheet(city);
  };

  const sendStyle = (request: FastifyRequest, reply: FastifyReply, theme: Theme) => {
    const { city, version } = sheet;
    const host = publicUrl ?? `${request.protocol}://${request.host}`;
    const style = toStyle(city, theme, `${host.replace(/\/+$/, '')}${MAP_PATH}`, version);
    return sendPacked(request, reply, pack('application/json', JSON.stringify(style)), ASK_AGAIN);
  };

  return async (app) => {
    app.addHook('onRequest', draw);
    app.get<{ Querystring: { theme?: string } }>(`${MAP_PATH}/style.json`, (request, reply) =>
      sendStyle(request, reply, request.query.theme === 'dark' ? 'dark' : 'light'),
    );
    app.get(`${MAP_PATH}/style-dark.json`, (request, reply) => sendStyle(request, reply, 'dark'));
    app.get<{ Querystring: { v?: string } }>(`${MAP_PATH}/city.json`, (request, reply) =>
      sendPacked(request, reply, sheet.data, request.query.v === sheet.version ? FOR_GOOD : ASK_AGAIN),
    );
    app.get<TileAsked & { Querystring: { v?: string } }>(`${MAP_PATH}/houses/:z/:x/:y.pbf`, (request, reply) => {
      const [z, x, y] = [request.params.z, request.params.x, request.params.y].map(Number) as [number, number, number];
      const isTile = z === TILE_ZOOM && [x, y].every((n) => Number.isInteger(n) && n >= 0 && n < 2 ** TILE_ZOOM);
      if (!isTile) return reply.code(404).send({ message: 'Tile not found' });
      return sendPacked(request, reply, sheet.tileAt(x, y), request.query.v === sheet.version ? FOR_GOOD : ASK_AGAIN);
    });
    app.get<{ Querystring: { at?: string } }>(MAP_PATH, (request, reply) => {
      const html = pack('text/html; charset=utf-8', showMap(sheet.city, String(request.query.at ?? '')));
      return sendPacked(request, reply, html, ASK_AGAIN);
    });
  };
}

type Sheet = ReturnType<typeof drawSheet>;

// What is the same for everybody who looks at it.
function drawSheet(city: City) {
  const data = pack('application/geo+json', JSON.stringify(toCityData(city)));
  return { city, data, tileAt: keepTiles(city), version: `${city.seed}-${data.tag.slice(0, 8)}` };
}

function keepTiles(city: City): (x: number, y: number) => Packed {
  const tiles = cutTiles(city);
  const drawn = new Map<string, Packed>();
  return (x, y) => {
    const key = `${x}/${y}`;
    const known = drawn.get(key);
    if (known) return known;
    const tile = pack('application/vnd.mapbox-vector-tile', tiles.draw(x, y));
    // Only what lies in the city is worth keeping: there is no end of empty tiles.
    if (tile.plain.length > 0) drawn.set(key, tile);
    return tile;
  };
}
