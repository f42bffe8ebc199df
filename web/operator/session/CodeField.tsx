import { TextInput } from '@mantine/core';

type CodeFieldProps = {
  value: string;
  onChange: (value: string) => void;
  error?: string | undefined;
  /** Whether it takes the focus when it appears. */
  hasFocus?: boolean;
};

/** The six digits of the authenticator app. */
export function CodeField({ value, onChange, error, hasFocus = false }: CodeFieldProps) {
  return (
    <TextInput
      label="Code of your authenticator app"
      name="code"
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={6}
      data-autofocus={hasFocus || undefined}
      autoFocus={hasFocus}
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value.replaceAll(/\D/g, ''))}
    />
  );
}
