import { TextInput, type TextInputProps } from '@mantine/core';
import { digitsOfCode } from '../../domain/typed.ts';

type CodeInputProps = Omit<TextInputProps, 'value' | 'onChange' | 'maxLength'> & {
  readonly value: string;
  readonly length: number;
  readonly onChange: (code: string) => void;
  /** A PIN that somebody reads out is none that the phone can fill in. */
  readonly autoComplete?: 'one-time-code' | 'off';
};

/** The one field for codes of digits. It cleans what is pasted before it cuts it, so it has no `maxLength`. */
export function CodeInput({ length, onChange, autoComplete = 'one-time-code', ...props }: CodeInputProps) {
  return (
    <TextInput
      inputMode="numeric"
      autoComplete={autoComplete}
      {...props}
      onChange={(event) => onChange(digitsOfCode(event.currentTarget.value, length))}
    />
  );
}
