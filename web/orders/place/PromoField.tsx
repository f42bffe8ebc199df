import { Button, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { OrderSize } from '../../../domain/orders.ts';
import { toPromoCode } from '../../../domain/promos.ts';
import { errorMessageOf } from '../../ui/errorMessage.ts';
import { formatMoney } from '../../ui/format.ts';
import type { ChangeDraft, OrderDraft } from './orderDraft.ts';
import styles from './PromoField.module.css';
import { type AppliedPromo, PROMO_UNCHECKED, promoQuery } from './promo.ts';

type PromoFieldProps = {
  readonly draft: OrderDraft;
  readonly limit: OrderSize | undefined;
  readonly change: ChangeDraft;
  readonly applied: AppliedPromo | undefined;
};

/** A quiet line that opens a field for a promo code, and what the code takes off. */
export function PromoField({ draft, limit, change, applied }: PromoFieldProps) {
  const [isOpen, setOpen] = useState(false);
  const apply = (code: string) => change((before) => ({ ...before, promoCode: code }));
  const remove = () => {
    setOpen(false);
    change(({ promoCode: _removed, ...rest }) => rest);
  };
  if (applied && applied.refused === undefined) return <Applied applied={applied} onRemove={remove} />;
  if (!isOpen && !applied)
    return (
      <button type="button" className={styles.open} onClick={() => setOpen(true)}>
        Have a promo code?
      </button>
    );
  return <PromoForm key={applied?.code} {...{ draft, limit, applied }} onApplied={apply} onClose={remove} />;
}

function Applied({ applied: { code, quote }, onRemove }: { applied: AppliedPromo; onRemove: () => void }) {
  return (
    <div className={styles.applied}>
      <p role="status">
        {quote ? (
          <>
            <strong>{code}</strong> takes {formatMoney(quote.discount)} off.
          </>
        ) : (
          'Checking your code…'
        )}
      </p>
      <button type="button" className={styles.open} onClick={onRemove}>
        Remove code
      </button>
    </div>
  );
}

type PromoFormProps = Omit<PromoFieldProps, 'change'> & {
  readonly onApplied: (code: string) => void;
  readonly onClose: () => void;
};

function PromoForm({ draft, limit, applied, onApplied, onClose }: PromoFormProps) {
  const cache = useQueryClient();
  const [typed, setTyped] = useState(applied?.code ?? '');
  const field = useRef<HTMLInputElement>(null);
  // Somebody has just opened it.
  const isNew = applied === undefined;
  useEffect(() => {
    if (isNew) field.current?.focus();
  }, [isNew]);
  const check = useMutation({
    mutationFn: (code: string) => cache.fetchQuery({ ...promoQuery(code, draft, limit), staleTime: 0 }),
    onSuccess: ({ code }) => onApplied(code),
  });
  const code = toPromoCode(typed);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (code !== '' && !check.isPending) check.mutate(code);
  };
  // What was refused is about the code as it was typed then.
  const isAsTyped = check.variables === code || (check.isIdle && applied?.code === code);
  const refused = check.error ? errorMessageOf(check.error, PROMO_UNCHECKED) : applied?.refused;
  return (
    <form noValidate className={styles.form} aria-label="Promo code" onSubmit={submit}>
      <TextInput
        label="Promo code"
        className={styles.field}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        error={isAsTyped && !check.isPending ? refused : undefined}
        autoComplete="off"
        autoCapitalize="characters"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="done"
        ref={field}
      />
      <div className={styles.buttons}>
        <Button type="submit" variant="default" loading={check.isPending} disabled={code === ''}>
          Apply
        </Button>
        <Button variant="subtle" onClick={onClose}>
          {applied ? 'Order without it' : 'Cancel'}
        </Button>
      </div>
    </form>
  );
}
