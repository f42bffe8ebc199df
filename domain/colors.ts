/** A colour as #rrggbb. */
export type Color = `#${string}`;

type Channels = readonly [red: number, green: number, blue: number];

/** WCAG 2.2 AA for text. */
export const TEXT_CONTRAST = 4.5;

const WHITE = '#ffffff';
const BLACK = '#000000';
/** The grounds of web/theme/tokens.css that text in the town's colour stands on, besides its own tint. */
const LIGHT_PAGE = '#f5f8fa';
const DARK_PAGE = '#0e1a20';
const DARK_CARD = '#15252d';

export const isColor = (text: string): text is Color => /^#[0-9a-f]{6}$/.test(text);

const channelsOf = (color: Color): Channels =>
  [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)) as unknown as Channels;

const colorOf = (channels: Channels): Color =>
  `#${channels.map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`;

/** A part of `to` in a colour: 0 is the colour itself, 1 is the other one. */
function mix(color: Color, to: Color, part: number): Color {
  const others = channelsOf(to);
  return colorOf(
    channelsOf(color).map((channel, at) => channel + ((others[at] ?? 0) - channel) * part) as unknown as Channels,
  );
}

/** The relative luminance of WCAG. */
function luminanceOf(color: Color): number {
  const [red, green, blue] = channelsOf(color).map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as unknown as Channels;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** How well one colour can be read on another, from 1 to 21. */
export function contrastOf(a: Color, b: Color): number {
  const [darker = 0, lighter = 0] = [luminanceOf(a), luminanceOf(b)].toSorted((x, y) => x - y);
  return (lighter + 0.05) / (darker + 0.05);
}

const STEPS = 100;

/** The colour that is nearest to `color` on the way to `end` and fits. `end` itself fits. */
function nearestTo(color: Color, end: Color, fits: (color: Color) => boolean): Color {
  for (let step = 0; step < STEPS; step += 1) {
    const tried = mix(color, end, step / STEPS);
    if (fits(tried)) return tried;
  }
  return end;
}

const tintOf = (color: Color): Color => mix(color, WHITE, 0.91);

/** The least contrast of white text on a colour, and of text in the colour on the grounds of the light theme. */
const leastContrastOf = (color: Color): number =>
  Math.min(...([WHITE, LIGHT_PAGE, tintOf(color)] as const).map((ground) => contrastOf(color, ground)));

/** The nearest colour that white text can be read on, and that can be read as a link. The dark theme uses a lighter shade. */
export const nearestReadable = (color: Color): Color =>
  nearestTo(color, BLACK, (tried) => leastContrastOf(tried) >= TEXT_CONTRAST);

type ColorProblem = { readonly contrast: number; readonly nearest: Color };

/** What is wrong with a colour for buttons and links; undefined for one that can be read. */
export function findColorProblem(color: Color): ColorProblem | undefined {
  const contrast = leastContrastOf(color);
  return contrast >= TEXT_CONTRAST ? undefined : { contrast, nearest: nearestReadable(color) };
}

/** The problem in words. The contrast is rounded down, so that it never reads as enough. */
export const describeColorProblem = (color: Color, { contrast, nearest }: ColorProblem): string =>
  `Text is hard to read on ${color}: its contrast is ${(Math.floor(contrast * 10) / 10).toFixed(1)}, and ${TEXT_CONTRAST} is needed. The nearest colour that works is ${nearest}`;

/** The colours of buttons, links and selections that a town's colour makes, by the names of web/theme/tokens.css. */
export type Shades = {
  readonly brand: Color;
  readonly 'brand-hover': Color;
  readonly 'brand-ink': Color;
  readonly 'brand-0': Color;
  readonly link: Color;
  /** Of drawings, in both themes. */
  readonly mark: Color;
  readonly selected: Color;
  readonly accent: Color;
  readonly 'accent-ground': Color;
};

/** The shades of both themes. All text in them can be read. */
export function shadesOf(color: Color): { readonly light: Shades; readonly dark: Shades } {
  const tint = tintOf(color);
  const darkTint = mix(color, DARK_CARD, 0.72);
  const isReadOn = (tried: Color, grounds: readonly Color[], contrast = TEXT_CONTRAST) =>
    grounds.every((ground) => contrastOf(tried, ground) >= contrast);
  const button = nearestTo(color, WHITE, (tried) => isReadOn(tried, [DARK_PAGE, DARK_CARD], 5.5));
  const link = nearestTo(
    button,
    WHITE,
    (tried) => isReadOn(tried, [DARK_PAGE, DARK_CARD], 7) && isReadOn(tried, [darkTint]),
  );
  const ink = nearestTo(color, BLACK, (tried) => isReadOn(tried, [button, link], 5.5));
  return {
    light: {
      ...{ brand: color, 'brand-hover': mix(color, BLACK, 0.18), 'brand-ink': WHITE, 'brand-0': tint },
      ...{ link: color, mark: color, selected: tint, accent: color, 'accent-ground': tint },
    },
    dark: {
      ...{ brand: button, 'brand-hover': link, 'brand-ink': ink, 'brand-0': darkTint },
      ...{ link, mark: color, selected: darkTint, accent: link, 'accent-ground': darkTint },
    },
  };
}
