import { Button, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { DescriptionItem, DescriptionList } from '../../ui/DescriptionList.tsx';
import { downloadFile } from '../../ui/downloadFile.ts';
import { errorMessageOf } from '../../ui/errorMessage.ts';
import { formatMoney } from '../../ui/format.ts';
import { SectionHeader } from '../../ui/SectionHeader.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { toast } from '../../ui/toast.tsx';
import { ActFormButton } from '../ActFormButton.tsx';
import { operatorApi } from '../operatorApi.ts';
import styles from './MoneyPage.module.css';
import { WorkersDownload } from './WorkersDownload.tsx';

const YEARS_BACK = 5;

async function save(load: Promise<{ name: string; text: string }>): Promise<void> {
  try {
    const { name, text } = await load;
    downloadFile(name, text);
  } catch (error) {
    toast.error(errorMessageOf(error, 'The file did not load. Please try again.'));
  }
}

/** Files for the tax adviser. The file with people's payouts needs approval. */
export function Exports() {
  const thisYear = new Date().getFullYear();
  const [year, setYear] = useState(thisYear);
  const query = { year: String(year) };
  return (
    <section className={styles.section}>
      <SectionHeader title="For the tax adviser" />
      <div className={styles.year}>
        <NativeSelect
          label="Year"
          data={Array.from({ length: YEARS_BACK }, (_, back) => String(thisYear - back))}
          value={String(year)}
          onChange={(event) => setYear(Number(event.currentTarget.value))}
        />
        <MissingTaxIds year={year} />
      </div>
      <div className="buttons">
        <Button variant="default" onClick={() => void save(operatorApi.readSalesTax({ query }))}>
          Download Sales Tax
        </Button>
        <ActFormButton act="exportTaxWorkers" name={String(year)} body={{ year }} />
        <WorkersDownload year={year} />
      </div>
    </section>
  );
}

/** How many workers the town cannot report yet. Nothing here shows a number. */
function MissingTaxIds({ year }: { year: number }) {
  const { data, isError } = useQuery({
    queryKey: ['missing-tax-ids', year],
    queryFn: () => operatorApi.readMissingTaxIds({ query: { year: String(year) } }),
  });
  if (isError) return <p>It did not load how many tax numbers are missing. Please refresh the page.</p>;
  if (!data) return <Skeleton width="60%" />;
  const { from, workers, missing } = data;
  return (
    <DescriptionList isColumn>
      <DescriptionItem name={`Paid ${formatMoney(from)} or more in ${year}, to be reported (1099-NEC)`}>
        {workers === 1 ? '1 worker' : `${workers} workers`}
      </DescriptionItem>
      <DescriptionItem name="Of these without a tax number">
        {missing === 0 ? 'None' : `${missing}. The earnings page asks for it; you can write to them, too`}
      </DescriptionItem>
    </DescriptionList>
  );
}
