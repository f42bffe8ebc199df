import { ActionIcon, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { Icon } from '../ui/icons.tsx';

// The page's colour in each scheme, as in web/boot.js and index.html.
const THEME_COLORS = { light: '#f5f8fa', dark: '#0e1a20' } as const;

/** Colours what the browser draws around an installed app like the page. */
function setThemeColor(scheme: keyof typeof THEME_COLORS): void {
  for (const bar of document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]'))
    bar.content = THEME_COLORS[scheme];
}

export function ColorSchemeToggle() {
  const { setColorScheme } = useMantineColorScheme();
  const other = useComputedColorScheme('light') === 'dark' ? 'light' : 'dark';
  return (
    <ActionIcon
      aria-label={`Use ${other} colours`}
      title={`Use ${other} colours`}
      onClick={() => {
        setColorScheme(other);
        setThemeColor(other);
      }}
    >
      <Icon name={other === 'dark' ? 'moon' : 'sun'} />
    </ActionIcon>
  );
}
