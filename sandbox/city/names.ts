import type { StreetLine } from './avenues.ts';
import { lengthOf, type Point } from './geometry.ts';
import { type Random, shuffle } from './random.ts';

export const CITY_NAME = 'Soapwick';
export const REGION = { name: 'Lather Coast', code: 'LC' };
export const COUNTRY = { name: 'Lavandia', code: 'XL', code3: 'XLA' };

const OLD_TOWN_DISTRICT = 'Old Lathergate';
const WATERSIDE_DISTRICTS = [
  'Harbour End',
  'Tidewater',
  'Kingfisher Wharf',
  'Ferrygate',
  'Millrace',
  'Willow Bank',
  'Saltmarsh',
];
// biome-ignore format: a list of names reads best in a block
const INLAND_DISTRICTS = [
  'Linen Quarter', 'Starling Hill', 'Bleachfield', 'Copper Hill', 'Pegtown', 'Bluebell Rise', 'Weavers Green', 'Sunnyside',
  'Indigo Heights', 'Thimble End', 'Fullers Cross', 'Orchard Park', 'Lantern Hill', 'Northwash', 'Ribbonfield', 'Mangle Top',
];

/** One name per district. The first is the old town; districts by the water are named after it. */
export function nameDistricts(clearances: number[]): string[] {
  const rest = clearances.slice(1).map((metres, i) => ({ metres, at: i + 1 }));
  rest.sort((a, b) => a.metres - b.metres);
  const names = [OLD_TOWN_DISTRICT];
  rest.forEach(({ at }, i) => {
    names[at] = WATERSIDE_DISTRICTS[i] ?? (INLAND_DISTRICTS[i - WATERSIDE_DISTRICTS.length] as string);
  });
  return names;
}

const STREET_WORDS =
  `Heron Kingfisher Starling Swallow Plover Curlew Sandpiper Wagtail Robin Linnet Goldfinch Lapwing Osprey Puffin
Swift Wren Nightingale Bunting Petrel Avocet Alder Aspen Beech Birch Bramble Cedar Chestnut Elder Hazel Hawthorn Holly
Juniper Larch Laurel Linden Maple Mulberry Myrtle Oak Olive Poplar Quince Rowan Sycamore Tamarisk Walnut Willow Yew Almond
Anemone Bluebell Clover Daisy Fennel Foxglove Heather Iris Jasmine Lavender Lilac Lily Marigold Meadowsweet Mint Primrose
Rosemary Saffron Sage Sorrel Thistle Thyme Verbena Violet Yarrow Linen Cotton Flax Indigo Madder Weaver Fuller Spinner Dyer
Thimble Bobbin Spindle Shuttle Damask Muslin Calico Velvet Ribbon Button Needle Laundry Mangle Starch Bleach Washboard
Clothespeg Kettle Copper Suds Lather Soapmaker Pumphouse Wellspring Millrace Brook Fountain Cistern Mill Weir Ferry Harbour
Anchor Lantern Lighthouse Beacon Capstan Compass Cooper Chandler Ropewalk Sailmaker Mariner Tide Pearl Coral Cockle Scallop
Oyster Herring Mackerel Driftwood Pebble Marram Dune Saltpan Baker Barley Candle Clocktower Cobbler Glazier Hatter Joiner
Mason Miller Orchard Pepper Potter Saddler Tanner Thatcher Tinker Granary Honey Hopfield Ginger Cinnamon Nutmeg Market Mint
Bell Chapel Cloister College Abbey Priory Rectory Almoner Academy Museum Library Observatory Theatre Bandstand Castle
Crown Garland Golden Silver Amber Jade Garnet Topaz Summer Winter Morning Evening Sunrise Moonlight Rainbow Meadow Hillside
Fairview Longacre Highfield Northgate Southgate Eastgate Westgate Stonebridge Greenway Whitestone Redcliff Blackthorn
Ashdown Bexhollow Carrick Danforth Ellery Farnaby Gilroy Hartwell Inglenook Jessamy Kestrel Lockwood Merriman Norwood
Oakley Pemberton Quillan Ravenhill Selwyn Tolliver Underhill Vesper Wexcombe Yardley Zephyr`.split(/\s+/);

const LONG_STREET_ENDINGS = ['Street', 'Street', 'Street', 'Road', 'Road', 'Way'];
const SHORT_STREET_ENDINGS = ['Lane', 'Street', 'Row', 'Walk', 'Place', 'Street'];
const TINY_STREET_ENDINGS = ['Mews', 'Court', 'Close', 'Yard', 'Passage'];
const AVENUE_ENDINGS = ['Avenue', 'Avenue', 'Boulevard', 'Parade'];

/** Names from the centre outwards, so that every word is used once before it repeats with another ending. */
export function nameStreets(
  random: Random,
  lines: StreetLine[],
  hasDoor: (street: number, number: number) => boolean,
): string[] {
  const words = [
    'Heron',
    ...shuffle(
      random,
      [...new Set(STREET_WORDS)].filter((word) => word !== 'Heron'),
    ),
  ];
  const used = new Set(lines.flatMap((line) => (line.fixedName ? [line.fixedName] : [])));
  const far = (p: Point) => Math.hypot(p.x, p.y);
  const order = lines.map((line, i) => ({ i, far: far(line.points[line.points.length >> 1] as Point) }));
  order.sort((a, b) => a.far - b.far || a.i - b.i);
  const names = lines.map((line) => line.fixedName ?? '');
  let next = 1;
  // The API examples use 12 Heron Street, so that house exists.
  const heron = order.find(({ i }) => !lines[i]?.fixedName && lines[i]?.kind === 'street' && hasDoor(i, 12))?.i;
  if (heron !== undefined) names[heron] = claimName(used, words, 0, 'Street');
  for (const { i } of order) {
    const line = lines[i];
    if (!line || names[i]) continue;
    for (let attempt = 0; attempt < 40 && !names[i]; attempt += 1) {
      const ending = pickEnding(random, line);
      if (!used.has(`${words[next % words.length]} ${ending}`)) names[i] = claimName(used, words, next, ending);
      next += 1;
    }
    if (!names[i]) throw new Error('the list of street names is too short');
  }
  return names;
}

function lengthOfStreet(line: StreetLine | undefined): number {
  return line ? lengthOf(line.points) : 0;
}

function claimName(used: Set<string>, words: string[], at: number, ending: string): string {
  const name = `${words[at % words.length]} ${ending}`;
  used.add(name);
  return name;
}

function pickEnding(random: Random, line: StreetLine): string {
  const long = lengthOfStreet(line);
  const endings =
    line.kind === 'avenue'
      ? AVENUE_ENDINGS
      : line.kind === 'road'
        ? ['Road']
        : long > 420
          ? LONG_STREET_ENDINGS
          : long > 130
            ? SHORT_STREET_ENDINGS
            : TINY_STREET_ENDINGS;
  return endings[Math.floor(random() * endings.length)] as string;
}

const PARK_ENDINGS = {
  park: ['Park', 'Gardens', 'Gardens', 'Green', 'Rec'],
  square: ['Square', 'Square', 'Place', 'Green'],
  wood: ['Woods', 'Forest', 'Copse'],
};
const PARK_WORDS =
  `Washboard Rinse Bubble Mangle Rosewater Drying Wishing Dovecote Bathhouse Jubilee Almond Orchard Fountain
Paddling Lilypond Conservatory Peacock Lamplighter Bandstand Sundial Merchant Mariners Bleachers Spinners Foundry Tollhouse
Wayfarer Harlequin Hopscotch Quarry Old Mill Swan Otter Badger Hedgehog Butterfly Dragonfly Skylark Nightjar Cygnet Tortoise
Beehive Maypole Carousel Kite Lantern Ribbon Parasol Teacup Hatbox Marble Cobnut Medlar Damson Bilberry Cloudberry Sweetbriar
Honeysuckle Wisteria Camellia Magnolia Periwinkle Snowdrop Crocus Cowslip Buttercup Forget-me-not Speedwell Campion`
    .split(/\s+/)
    .filter((word) => word !== 'Old');

export function nameParks(random: Random, kinds: ('park' | 'square' | 'wood')[]): string[] {
  const words = shuffle(random, [...new Set(PARK_WORDS)]);
  const [firstPark, firstSquare] = [kinds.indexOf('park'), kinds.indexOf('square')];
  return kinds.map((kind, i) => {
    if (i === firstSquare) return 'Washtub Circus Garden';
    if (i === firstPark) return 'Great Drying Park';
    const round =
      i >= words.length ? ` ${PARK_ENDINGS[kind][Math.floor(i / words.length) % PARK_ENDINGS[kind].length]}` : '';
    const endings = PARK_ENDINGS[kind];
    return `${words[i % words.length]}${round} ${endings[Math.floor(random() * endings.length)]}`;
  });
}
