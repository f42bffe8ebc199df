import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { updateUser } from '../session/session.ts';
import { errorMessageOf } from '../ui/errorMessage.ts';
import { formatDay } from '../ui/format.ts';
import items from '../ui/ItemList.module.css';
import { Icon } from '../ui/icons.tsx';
import { toast } from '../ui/toast.tsx';

/** The account is going to be deleted, and its owner can still keep it. */
export function KeepAccount({ erasedAt, onKept }: { erasedAt: string; onKept: () => Promise<void> }) {
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
    <li className={items.item}>
      <Icon name="alert" />
      <div className={items.words}>
        <p className={items.label}>Your account is deleted on {formatDay(erasedAt)}</p>
        <p className="quiet">Until then you get no new orders or work.</p>
      </div>
      <Button loading={keep.isPending} onClick={() => keep.mutate()}>
        Keep My Account
      </Button>
    </li>
  );
}
