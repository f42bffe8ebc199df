import { NumberInput, type NumberInputProps } from '@mantine/core';
import '@mantine/core/styles/NumberInput.layer.css';
import { MAX_BAGS } from '../../domain/handovers.ts';

/** How many bags somebody has counted. */
export function BagCountInput(props: Pick<NumberInputProps, 'label' | 'className' | 'value' | 'onChange'>) {
  return <NumberInput min={1} max={MAX_BAGS} clampBehavior="strict" allowDecimal={false} {...props} />;
}
