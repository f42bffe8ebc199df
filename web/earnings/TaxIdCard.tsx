import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { TaxIdAnswer } from '../../contract/taxIds.ts';
import { formatMoney } from '../ui/format.ts';
import { lazyPart } from '../ui/lazyPart.tsx';
import { SectionHeader } from '../ui/SectionHeader.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { nameOfCountry } from './countryNames.ts';
import { TAX_ID_QUERY } from './taxIdQuery.ts';

const TaxIdDialog = lazyPart('The form', async () => (await import('./TaxIdDialog.tsx')).TaxIdDialog, {
  failure: 'toast',
});

/** The tax number by its end. It is asked for once there is something to report. */
export function TaxIdCard() {
  const [isChanging, setChanging] = useState(false);
  const { data, isPending, isError } = useQuery(TAX_ID_QUERY);
  const verb = data?.taxId ? 'Change' : 'Add';
  return (
    <section>
      <SectionHeader title="Your Tax Number">
        {data && (
          <Button variant="default" aria-label={`${verb} your tax number`} onClick={() => setChanging(true)}>
            {verb}
          </Button>
        )}
      </SectionHeader>
      {isPending && <Skeleton width="60%" />}
      {isError && <p>Your tax number did not load. Please refresh the page.</p>}
      {data && <TaxIdText {...data} />}
      {isChanging && <TaxIdDialog onClose={() => setChanging(false)} />}
    </section>
  );
}

function TaxIdText({ taxId, askedFor }: TaxIdAnswer) {
  if (taxId) {
    const { kind, country, last4 } = taxId;
    return (
      <p>
        {kind === 'tin' ? nameOfCountry(country) : kind.toUpperCase()} ···{last4}
      </p>
    );
  }
  if (!askedFor) return <p className="quiet">You have not added one yet. We ask for it when we need it.</p>;
  return (
    <p>
      What you are paid in {askedFor.year} comes to {formatMoney(askedFor.from)} or more, so we must report it to the
      tax office, with your tax number. Please add it when you have a minute. Your work and your payouts continue either
      way.
    </p>
  );
}
