import { Input } from '@mantine/core';
import { lazy, Suspense, useId } from 'react';
import { Skeleton } from '../ui/Skeleton.tsx';

const PhoneInput = lazy(async () => ({ default: (await import('./PhoneInput.tsx')).PhoneInput }));

/** A phone number in international format, or ''. The numbering plans load after the rest of the screen. */
export function PhoneField({
  value,
  onChange,
  error,
  isOptional = false,
}: {
  value: string;
  onChange: (value: string) => void;
  error?: string | undefined;
  isOptional?: boolean;
}) {
  const id = useId();
  return (
    <Input.Wrapper
      id={id}
      label="Phone"
      {...(isOptional ? { description: 'Optional, so that your driver can reach you' } : {})}
      error={error}
    >
      <Suspense fallback={<Skeleton height={44} />}>
        <PhoneInput id={id} value={value} onChange={onChange} isWrong={error !== undefined} />
      </Suspense>
    </Input.Wrapper>
  );
}
