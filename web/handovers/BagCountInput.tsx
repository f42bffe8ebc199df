import { useState } from 'react';
import { MAX_BAGS } from '../../domain/handovers.ts';
import { NumberField } from '../ui/NumberField.tsx';
import { readNumber } from '../ui/typedNumber.ts';

type BagCountInputProps = {
  readonly label: string;
  readonly className?: string;
  readonly value: number | '';
  /** Gets 0 while the field is empty. Is not called while the field has something that is no count. */
  readonly onChange: (bags: number) => void;
};

/** How many bags somebody has counted. An empty field stays empty, whatever its count falls back to. */
export function BagCountInput({ value, onChange, ...props }: BagCountInputProps) {
  const [typed, setTyped] = useState(String(value));
  const change = (text: string) => {
    const bags = readNumber(text, 'whole') ?? 0;
    if (bags > MAX_BAGS) return;
    setTyped(text);
    if (Number.isInteger(bags) && bags >= 0) onChange(bags);
  };
  return <NumberField kind="whole" {...props} value={typed} onChange={(event) => change(event.currentTarget.value)} />;
}
