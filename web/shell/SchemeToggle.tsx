import { ActionIcon, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { Icon } from '../ui/icons.tsx';

// The page's colour in each scheme, as in web/boot.js and index.html.
const BARS = { light: '#f5f8fa', dark: '#0e1a20' } as const;

/** Colours what the browser draws around an installed app like the page. */
function colourBar(scheme: keyof typeof BARS): void {
  for (const bar of document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')) bar.content = BARS[scheme];
}

export function SchemeToggle() {
  const { setColorScheme } = useMantineColorScheme();
  const other = useComputedColorScheme('light') === 'dark' ? 'light' : 'dark';
  return (
    <ActionIcon
      aria-label={`Use ${other} colours`}
      title={`Use ${other} colours`}
      onClick={() => {
        setColorScheme(other);
        colourBar(other);
      }}
    >
      <Icon name={other === 'dark' ? 'moon' : 'sun'} />
    </ActionIcon>
  );
}
