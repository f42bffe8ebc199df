import { TextInput, type TextInputProps } from '@mantine/core';
import { type NumberKind, unreadableText } from './typedNumber.ts';

type NumberFieldProps = Omit<TextInputProps, 'value'> & { readonly value: string; readonly kind: NumberKind };

/** The one field for amounts, rates, weights and counts. Read its text with `readNumber`; what is no number is said at once. */
export function NumberField({ kind, value, error, ...props }: NumberFieldProps) {
  return (
    <TextInput
      inputMode={kind === 'whole' ? 'numeric' : 'decimal'}
      autoComplete="off"
      {...props}
      value={value}
      error={unreadableText(value, kind) ?? error}
    />
  );
}
