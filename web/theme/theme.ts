import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  type VariantColorsResolver,
} from '@mantine/core';

const brand: MantineColorsTuple = [
  '#e8f6fa',
  '#d0ebf3',
  '#a3d8e7',
  '#72c3da',
  '#47b0cd',
  '#239dbf',
  '#0f86a8',
  '#0b6e8b',
  '#0a5a72',
  '#07455a',
];

type VariantColors = ReturnType<VariantColorsResolver>;

const createVariantColors = (background: string, hover: string, color: string, border: string): VariantColors => ({
  background,
  hover,
  color,
  border: `1px solid ${border}`,
});

const BRAND_VARIANTS: Record<string, VariantColors> = {
  filled: createVariantColors('var(--brand)', 'var(--brand-hover)', 'var(--brand-ink)', 'transparent'),
  light: createVariantColors('var(--brand-0)', 'var(--brand-0)', 'var(--link)', 'transparent'),
  outline: createVariantColors('transparent', 'var(--brand-0)', 'var(--link)', 'var(--link)'),
  subtle: createVariantColors('transparent', 'var(--brand-0)', 'var(--link)', 'transparent'),
  default: createVariantColors('var(--card)', 'var(--page)', 'var(--ink)', 'var(--line-strong)'),
};

const DANGER_VARIANTS: Record<string, VariantColors> = {
  filled: createVariantColors('#b42318', '#8f1d1d', '#ffffff', 'transparent'),
  light: createVariantColors('var(--danger-ground)', 'var(--danger-ground)', 'var(--danger-ink)', 'transparent'),
  outline: createVariantColors('transparent', 'var(--danger-ground)', 'var(--danger)', 'var(--danger)'),
  subtle: createVariantColors('transparent', 'var(--danger-ground)', 'var(--danger)', 'transparent'),
};

const SUN_VARIANTS: Record<string, VariantColors> = {
  filled: createVariantColors('var(--sun)', '#f0bd2c', 'var(--sun-ink)', 'transparent'),
};

const VARIANTS_BY_COLOR: Record<string, Record<string, VariantColors>> = {
  brand: BRAND_VARIANTS,
  red: DANGER_VARIANTS,
  sun: SUN_VARIANTS,
};

// Mantine uses one shade and white text in both color schemes. Ours differ, so the colors come from our CSS variables.
const resolveVariantColors: VariantColorsResolver = (input) =>
  VARIANTS_BY_COLOR[input.color ?? input.theme.primaryColor]?.[input.variant] ?? defaultVariantColorsResolver(input);

const borderRadius = { xs: '6px', sm: '8px', md: '10px', lg: '12px', xl: '16px' };

export const theme = createTheme({
  colors: { brand, sun: Array(10).fill('#f7c948') as unknown as MantineColorsTuple },
  primaryColor: 'brand',
  primaryShade: { light: 7, dark: 4 },
  black: '#10222b',
  fontFamily: 'var(--face)',
  fontFamilyMonospace: 'var(--mono)',
  headings: { fontFamily: 'var(--face)' },
  fontSizes: {
    xs: 'var(--size-caption)',
    sm: 'var(--size-small)',
    md: 'var(--size-body)',
    lg: 'var(--size-heading)',
    xl: 'var(--size-title)',
  },
  radius: borderRadius,
  defaultRadius: 'md',
  breakpoints: { xs: '30em', sm: '45em', md: '62em', lg: '75em', xl: '88em' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  variantColorResolver: resolveVariantColors,
  components: {
    Button: { defaultProps: { size: 'md' } },
    ActionIcon: { defaultProps: { size: 44, variant: 'subtle' } },
    TextInput: { defaultProps: { size: 'md', withAsterisk: false } },
    Textarea: { defaultProps: { size: 'md' } },
    NativeSelect: { defaultProps: { size: 'md' } },
  },
});

export const resolveCssVariables: CSSVariablesResolver = () => {
  const both = {
    '--mantine-color-body': 'var(--page)',
    '--mantine-color-text': 'var(--ink)',
    '--mantine-color-bright': 'var(--ink)',
    '--mantine-color-dimmed': 'var(--ink-quiet)',
    '--mantine-color-placeholder': 'var(--ink-quiet)',
    '--mantine-color-anchor': 'var(--link)',
    '--mantine-color-error': 'var(--danger)',
    '--mantine-color-default': 'var(--card)',
    '--mantine-color-default-hover': 'var(--page)',
    '--mantine-color-default-color': 'var(--ink)',
    '--mantine-color-default-border': 'var(--line)',
    '--mantine-primary-color-filled': 'var(--brand)',
    '--mantine-primary-color-filled-hover': 'var(--brand-hover)',
    '--mantine-primary-color-contrast': 'var(--brand-ink)',
    '--mantine-primary-color-light': 'var(--brand-0)',
    '--mantine-primary-color-light-color': 'var(--link)',
    '--mantine-color-brand-filled': 'var(--brand)',
    '--mantine-color-brand-filled-hover': 'var(--brand-hover)',
  };
  return { variables: {}, light: both, dark: both };
};
