import { OTP_LENGTH } from '../../domain/accounts.ts';
import { CodeInput } from '../ui/CodeInput.tsx';

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
    <CodeInput
      label="Code of your authenticator app"
      name="code"
      length={OTP_LENGTH}
      data-autofocus={hasFocus || undefined}
      autoFocus={hasFocus}
      value={value}
      error={error}
      onChange={onChange}
    />
  );
}
