import { ActionIcon, TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { Icon } from './icons.tsx';

/** A password input with a show and hide toggle. */
export function PasswordField(props: TextInputProps) {
  const [isShown, setShown] = useState(false);
  return (
    <TextInput
      {...props}
      type={isShown ? 'text' : 'password'}
      autoCapitalize="off"
      spellCheck={false}
      rightSectionWidth={48}
      rightSection={
        <ActionIcon aria-label={isShown ? 'Hide password' : 'Show password'} onClick={() => setShown(!isShown)}>
          <Icon name={isShown ? 'eyeOff' : 'eye'} />
        </ActionIcon>
      }
    />
  );
}
