import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { api } from '../api/client.ts';
import { updateUser } from '../session/session.ts';
import { errorMessageOf } from '../ui/errorMessage.ts';
import { formatDay } from '../ui/format.ts';
import items from '../ui/ItemList.module.css';
import { Icon } from '../ui/icons.tsx';
import { toast } from '../ui/toast.tsx';

const bringIntoView = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'center' });

/** The account is going to be deleted, and its owner can still keep it. */
export function KeepAccount({ erasedAt, onKept }: { erasedAt: string; onKept: () => Promise<void> }) {
  // The banner above every page leads here.
  const [params] = useSearchParams();
  const isLookedFor = params.has('keep');
  const keep = useMutation({
    mutationFn: () => api.keepAccount(),
    onSuccess: async () => {
      updateUser({ erasedAt: null });
      toast.success('Your Account Is Kept');
      await onKept();
    },
    onError: (error) => {
      toast.error('Not Kept Yet', { description: errorMessageOf(error, 'Something went wrong. Please try again.') });
    },
  });
  return (
    <li className={items.item} ref={isLookedFor ? bringIntoView : undefined}>
      <Icon name="alert" />
      <div className={items.words}>
        <p className={items.label}>Your account will be deleted on {formatDay(erasedAt)}</p>
        <p className="quiet">Until then you get no new orders or work.</p>
      </div>
      <Button loading={keep.isPending} onClick={() => keep.mutate()}>
        Keep My Account
      </Button>
    </li>
  );
}
