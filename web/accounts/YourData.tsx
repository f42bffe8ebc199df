import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { PersonalData } from '../../contract/personalData.ts';
import { KEPT_BY_LAW_YEARS } from '../../domain/erasures.ts';
import { api } from '../api/client.ts';
import { queryClient } from '../api/queryClient.ts';
import { PasswordDialog } from '../earnings/PasswordDialog.tsx';
import { leaveWithoutAlert } from '../session/SessionGate.tsx';
import { signOut } from '../session/session.ts';
import { downloadFile } from '../ui/downloadFile.ts';
import { QueryError } from '../ui/ErrorState.tsx';
import { errorMessageOf } from '../ui/errorMessage.ts';
import { Fold } from '../ui/Fold.tsx';
import { formatDay, formatMoney } from '../ui/format.ts';
import items from '../ui/ItemList.module.css';
import { Icon } from '../ui/icons.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { toast } from '../ui/toast.tsx';
import { KeepAccount } from './KeepAccount.tsx';
import styles from './Profile.module.css';

export const personalDataQuery = { queryKey: ['personal-data'], queryFn: () => api.readPersonalData() };

const refresh = () => queryClient.invalidateQueries({ queryKey: personalDataQuery.queryKey });

const ASK_AGAIN_MS = 3_000;

/** A copy of what is stored about the user, and the end of their account. */
export function YourData() {
  const query = useQuery({
    ...personalDataQuery,
    refetchInterval: ({ state: { data } }) => (data?.copy?.state === 'making' ? ASK_AGAIN_MS : false),
  });
  const [isOpen, setOpen] = useState<boolean>();
  // Most people need it never: only what is under way is open by itself.
  const isUnderWay = query.data !== undefined && (query.data.copy !== null || query.data.erasedAt !== null);
  return (
    <section aria-label="Your data">
      <Fold title="Your data" isOpen={isOpen ?? isUnderWay} onToggle={setOpen}>
        {query.data && <Rows data={query.data} />}
        {!query.data && query.isError && <QueryError query={query} title="Unable To Get Your Data" level={2} />}
        {!query.data && !query.isError && (
          <div className={items.list} aria-busy="true">
            <Skeleton height={74} />
            <Skeleton height={74} />
          </div>
        )}
      </Fold>
    </section>
  );
}

function Rows({ data }: { data: PersonalData }) {
  const [asking, setAsking] = useState<'copy' | 'erasure'>();
  const stop = () => setAsking(undefined);
  return (
    <>
      <ul className={`${items.list} ${items.rows}`}>
        {data.erasedAt && <KeepAccount erasedAt={data.erasedAt} onKept={refresh} />}
        <CopyRow copy={data.copy} onAsk={() => setAsking('copy')} />
        {!data.erasedAt && <ErasureRow open={data.open} onAsk={() => setAsking('erasure')} />}
      </ul>
      <Fold title="What happens with your data" looks="row">
        <Details />
      </Fold>
      {asking === 'copy' && <CopyDialog onClose={stop} />}
      {asking === 'erasure' && <ErasureDialog onClose={stop} />}
    </>
  );
}

const COPY_TEXTS: Record<'none' | NonNullable<PersonalData['copy']>['state'], (until: string) => string> = {
  none: () => 'Everything we have stored about you, in one file',
  making: () => 'We are making your copy. This takes a few minutes, and we email you',
  ready: (until) => `Your copy is ready until ${until}`,
  failed: () => 'Your copy could not be made. Please ask for it again',
};

function CopyRow({ copy, onAsk }: { copy: PersonalData['copy']; onAsk: () => void }) {
  const state = copy?.state ?? 'none';
  return (
    <li className={items.item}>
      <Icon name="copy" />
      <div className={items.words}>
        <p className={items.label}>Copy of your data</p>
        <p className="quiet" role="status">
          {COPY_TEXTS[state](copy ? formatDay(copy.until) : '')}
        </p>
      </div>
      {state === 'ready' && <DownloadButton />}
      {(state === 'none' || state === 'failed') && (
        <Button variant="subtle" aria-label="Ask for a copy" onClick={onAsk}>
          Ask for it
        </Button>
      )}
    </li>
  );
}

function DownloadButton() {
  const download = useMutation({
    mutationFn: async () => downloadFile('my-data.zip', await api.downloadPersonalData()),
    onError: (error) => {
      toast.error('Not Downloaded', { description: errorMessageOf(error, 'Something went wrong. Please try again.') });
    },
  });
  return (
    <Button variant="subtle" loading={download.isPending} onClick={() => download.mutate()}>
      Download
    </Button>
  );
}

type Open = PersonalData['open'];

const OPEN_TEXTS: Record<Open[number]['what'], string> = {
  order: 'an order',
  delivery: 'a delivery',
  case: 'a problem',
  payment: 'a payment',
  balance: 'a balance',
  suspension: 'a suspension, until it ends',
};

const MAX_NAMED = 6;

/** What is open, each by its number where it has one. */
function openText(open: Open): string {
  const texts = open.map(({ what, name, amount }) => {
    if (amount === null) return name ?? OPEN_TEXTS[what];
    return amount > 0 ? `${formatMoney(amount)} that you are still paid` : `${formatMoney(-amount)} that you owe`;
  });
  const all = [...new Set(texts)];
  const more = all.length > MAX_NAMED ? [`and ${all.length - MAX_NAMED} more`] : [];
  return [...all.slice(0, MAX_NAMED), ...more].join(', ');
}

function ErasureRow({ open, onAsk }: { open: Open; onAsk: () => void }) {
  return (
    <li className={items.item}>
      <Icon name="trash" />
      <div className={items.words}>
        <p className={items.label}>Delete account</p>
        <p className="quiet">
          {open.length === 0
            ? 'You have 14 days to change your mind'
            : `Possible once nothing is open. Still open: ${openText(open)}`}
        </p>
      </div>
      {open.length === 0 && (
        <Button variant="subtle" color="red" aria-label="Delete account" onClick={onAsk}>
          Delete…
        </Button>
      )}
    </li>
  );
}

function CopyDialog({ onClose }: { onClose: () => void }) {
  const save = async (password: string) => {
    await api.exportPersonalData({ body: { password } });
    await refresh();
  };
  return (
    <PasswordDialog
      title="Get a copy of your data"
      note="We email you when it is ready. You can download it for 7 days, and ask for the next one after that."
      button="Make the Copy"
      onSave={save}
      onClose={onClose}
    />
  );
}

function ErasureDialog({ onClose }: { onClose: () => void }) {
  const save = async (currentPassword: string) => {
    await api.eraseAccount({ body: { currentPassword } });
    toast.success('Your Account Will Be Deleted', { description: 'We have sent you an email with the day.' });
    leaveWithoutAlert(signOut);
  };
  return (
    <PasswordDialog
      title="Delete your account?"
      note="You are signed out everywhere now. For 14 days you can sign in again and keep your account. After that nobody can bring it back."
      button="Delete My Account"
      isDestructive
      onSave={save}
      onClose={onClose}
    />
  );
}

const Details = () => (
  <div className={`quiet ${styles.details}`}>
    <p>
      <strong>A copy</strong> has what you told us, your orders, deliveries, reviews and payments, the photos that you
      sent and are still kept, and your receipts. It has nothing about others beyond what you see on your screens.
    </p>
    <p>
      <strong>When your account is deleted</strong>, your name, email, phone, addresses, devices, bank account, photos
      and everything you wrote are deleted. Past orders stay with their prices, under “Former” and your role, and know
      their place to about a kilometer. Stars that you gave or got stay without words.
    </p>
    <p>
      <strong>The law</strong> wants us to keep payments, and the names that belong to receipts and taxes, for{' '}
      {KEPT_BY_LAW_YEARS} years. These names are encrypted, and an operator who reads them must say why. After that they
      are deleted too.
    </p>
  </div>
);
