import type { TextInputProps } from '@mantine/core';
import { findPasswordProblem } from '../../domain/accounts.ts';
import { isEasyToGuess } from '../../domain/passwordStrength.ts';
import { Icon } from '../ui/icons.tsx';
import { PasswordField } from '../ui/PasswordField.tsx';
import styles from './NewPasswordField.module.css';

type NewPasswordProps = Omit<TextInputProps, 'value'> & { readonly value: string };

/** The input of a new password, with its rules. A password that keeps them and is common gets a warning, not an error. */
export function NewPasswordField(props: NewPasswordProps) {
  const isEasy = findPasswordProblem(props.value) === undefined && isEasyToGuess(props.value);
  return (
    <PasswordField
      {...props}
      description="At least 8 characters, with upper and lower case letters, a digit and a special character"
      autoComplete="new-password"
      inputContainer={(input) => (
        <>
          {input}
          {/* Always there, because a screen reader announces only what changes in it. */}
          <p className={styles.warning} role="status">
            {isEasy && (
              <>
                <Icon name="alert" size={18} />
                This password is easy to guess. You can use it, but a different one is safer.
              </>
            )}
          </p>
        </>
      )}
    />
  );
}
