import { Input } from '@mantine/core';
import { useId } from 'react';
import { lazyPart } from '../ui/lazyPart.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';

const PhoneInput = lazyPart('The field for your phone', async () => (await import('./PhoneInput.tsx')).PhoneInput, {
  fallback: <Skeleton height={44} />,
});

/** A phone number in international format, or ''. The numbering plans load after the rest of the screen. */
export function PhoneField({
  value,
  onChange,
  error,
  hint,
}: {
  value: string;
  onChange: (value: string) => void;
  error?: string | undefined;
  hint?: string;
}) {
  const id = useId();
  return (
    <Input.Wrapper id={id} label="Phone" description={hint} error={error}>
      <PhoneInput id={id} value={value} onChange={onChange} isWrong={error !== undefined} />
    </Input.Wrapper>
  );
}
