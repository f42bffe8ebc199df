import type { TownPromo } from '../../../contract/operator/promos.ts';
import { formatMoney } from '../../ui/format.ts';
import { readNumber } from '../../ui/typedNumber.ts';
import { ActFormButton, type FormValues } from '../ActFormButton.tsx';
import { useTownAlone } from '../useConsent.ts';

/** What it can cost in the end, in words. */
function describeWorst({ kind, value, maxDiscount, maxUses }: FormValues, runsAlone: boolean): string {
  const [each, uses] = [kind === 'percent' ? maxDiscount : value, maxUses].map((typed) =>
    readNumber(String(typed ?? ''), 'dollars'),
  );
  if (each === undefined || uses === undefined || !(each >= 0 && uses >= 0))
    return `Nothing limits what this code can cost${runsAlone ? '' : ': another operator must approve it'}.`;
  const most = `It costs at most ${formatMoney(each * uses)}.`;
  return runsAlone ? most : `${most} Above the limit of a day, another operator must approve it.`;
}

const FIELDS = ['minTotal', 'maxUses', 'maxUsesPerBud', 'from', 'until', 'firstOrderOnly'] as const;

export function AddPromoButton() {
  const { runsAlone } = useTownAlone();
  return (
    <ActFormButton
      act="addPromo"
      start={{ kind: 'amount', maxUsesPerBud: '1' }}
      fields={({ kind }) => [
        'code',
        'kind',
        'value',
        ...(kind === 'percent' ? (['maxDiscount'] as const) : []),
        ...FIELDS,
      ]}
      textsOf={(field, { kind }) =>
        field === 'value' && kind === 'percent' ? { label: 'Percent', kind: 'decimal' } : undefined
      }
    >
      {(values) => <p>{describeWorst(values, runsAlone)}</p>}
    </ActFormButton>
  );
}

export const EndPromoButton = ({ promo: { id, code } }: { promo: TownPromo }) => (
  <ActFormButton act="endPromo" name={code} params={{ id }} />
);
