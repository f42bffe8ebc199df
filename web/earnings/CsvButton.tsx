import { Button } from '@mantine/core';
import type { EarningLine } from '../../contract/earnings.ts';
import { downloadFile } from '../ui/downloadFile.ts';
import { toCsv } from './format.ts';

/** Saves the lines on the page as a CSV file. */
export function CsvButton({ name, lines }: { name: string; lines: readonly EarningLine[] | undefined }) {
  return (
    <Button
      variant="default"
      style={{ flex: 'none' }}
      disabled={!lines || lines.length === 0}
      onClick={() => lines && downloadFile(name, toCsv(lines))}
    >
      Download CSV
    </Button>
  );
}
