import { ActionIcon } from '@mantine/core';
import { Icon } from '../ui/icons.tsx';
import { setSoundOn, useSoundOn } from './sound.ts';

/** Turns the sound for new jobs and new deliveries nearby on and off. */
export function SoundToggle() {
  const isOn = useSoundOn();
  const label = isOn ? 'Turn sound off' : 'Turn sound on';
  return (
    <ActionIcon aria-label={label} title={label} onClick={() => setSoundOn(!isOn)}>
      <Icon name={isOn ? 'bell' : 'bellOff'} />
    </ActionIcon>
  );
}
