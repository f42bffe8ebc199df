import type { TownBank } from '../../../domain/bankFiles.ts';
import { DescriptionItem, DescriptionList } from '../../ui/DescriptionList.tsx';
import { ActFormButton } from '../ActFormButton.tsx';

/** Where the town pays from. The files for banks name these accounts. */
export function TownBankCard({ bank: { usBank, iban } }: { bank: TownBank }) {
  return (
    <>
      <h2>The town's own accounts</h2>
      <DescriptionList>
        <DescriptionItem name="At a bank of the USA">
          {usBank
            ? `${usBank.bankName} ${usBank.routingNumber}, as ${usBank.companyName} (${usBank.companyId})`
            : 'None'}
        </DescriptionItem>
        <DescriptionItem name="With an IBAN">{iban ? `${iban.iban}, ${iban.name}` : 'None'}</DescriptionItem>
      </DescriptionList>
      <div className="buttons">
        <ActFormButton act="setUsBank" start={{ ...usBank }} />
        <ActFormButton act="setIban" start={{ ...iban }} />
      </div>
    </>
  );
}
