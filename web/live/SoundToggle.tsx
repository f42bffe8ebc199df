import { ActionIcon } from '@mantine/core';
import { Icon } from '../ui/icons.tsx';
import { setSoundOn, useSoundOn } from './sound.ts';

/** Whether a new job or a new delivery nearby may be heard. */
export function SoundToggle() {
  const isOn = useSoundOn();
  const words = isOn ? 'Turn sound off' : 'Turn sound on';
  return (
    <ActionIcon aria-label={words} title={words} onClick={() => setSoundOn(!isOn)}>
      <Icon name={isOn ? 'bell' : 'bellOff'} />
    </ActionIcon>
  );
}
