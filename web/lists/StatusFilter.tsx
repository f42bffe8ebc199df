import { NativeSelect } from '@mantine/core';
import { labelOf } from '../ui/format.ts';

/** The 'Status' select. Its first option, 'All', is the empty string. */
export function StatusFilter<Status extends string>({
  statuses,
  value,
  onChange,
}: {
  statuses: readonly Status[];
  value: Status | '';
  onChange: (status: Status | '') => void;
}) {
  const options = [
    { value: '', label: 'All' },
    ...statuses.map((status) => ({ value: status, label: labelOf(status) })),
  ];
  return (
    <NativeSelect
      label="Status"
      data={options}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value as Status | '')}
    />
  );
}
