import { ActionIcon, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { Icon } from './icons.tsx';

// Keep in sync with web/boot.js and index.html.
const THEME_COLORS = { light: '#f5f8fa', dark: '#0e1a20' } as const;

/** Colors the browser's bar around an installed app. */
function setThemeColor(scheme: keyof typeof THEME_COLORS): void {
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]'))
    meta.content = THEME_COLORS[scheme];
}

export function ColorSchemeToggle() {
  const { setColorScheme } = useMantineColorScheme();
  const other = useComputedColorScheme('light') === 'dark' ? 'light' : 'dark';
  return (
    <ActionIcon
      aria-label={`Use ${other} mode`}
      title={`Use ${other} mode`}
      onClick={() => {
        setColorScheme(other);
        setThemeColor(other);
      }}
    >
      <Icon name={other === 'dark' ? 'moon' : 'sun'} />
    </ActionIcon>
  );
}
