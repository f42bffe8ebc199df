import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import type { Role } from '../../domain/accounts.ts';
import { readBagCode } from '../../domain/handovers.ts';
import { AuthMessage, AuthPage } from '../accounts/AuthPage.tsx';
import { useSession } from '../accounts/session.ts';
import { api } from '../api.ts';
import { Icon } from '../ui/icons.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';

/** The page behind the tag of a bag: for a finder whom to write to, for the people of its order the way there. */
export function BagPage() {
  const { code: typed = '' } = useParams();
  const code = readBagCode(typed);
  const { user } = useSession();
  const bag = useQuery({
    queryKey: ['bag', code, user?.id],
    queryFn: () => findBag(code ?? '', user !== undefined && user !== null),
    enabled: code !== undefined,
  });
  const own = bag.data?.own;
  const isUnknown = code === undefined || bag.isError;
  return (
    <AuthPage tab="Bag">
      {!isUnknown && bag.isPending && <Skeleton height={180} />}
      {isUnknown && (
        <AuthMessage icon={<Icon name="alert" size={44} color="var(--danger)" />} title="Unknown Bag">
          <p>No bag has this code. Check the six characters on the tag.</p>
        </AuthMessage>
      )}
      {bag.data && (
        <AuthMessage icon={<Icon name="box" size={44} color="var(--link)" />} title={`Bag ${bag.data.code}`}>
          {own && user ? (
            <>
              <p>Bag {own.n} of your order.</p>
              <Button component={Link} to={orderPath(user.role, own)}>
                {user.role === 'Duber' ? 'Open the delivery' : 'Open the order'}
              </Button>
            </>
          ) : (
            <p>
              A Rubadub bag. Found it? Write to <a href={`mailto:${bag.data.supportEmail}`}>{bag.data.supportEmail}</a>{' '}
              and say this code. We tell its owner.
            </p>
          )}
        </AuthMessage>
      )}
    </AuthPage>
  );
}

/** The bag, and its order when it is the reader's. */
async function findBag(code: string, isSignedIn: boolean) {
  const input = { params: { code } };
  const [bag, own] = await Promise.all([
    api.readBag(input),
    isSignedIn ? api.readOwnBag(input).catch(() => undefined) : undefined,
  ]);
  return { ...bag, own };
}

function orderPath(role: Role, { orderId, deliveryId }: { orderId: string; deliveryId: string | null }): string {
  if (role === 'Duber') return `/duber/deliveries/${deliveryId}`;
  return role === 'Bud' ? `/bud/orders/${orderId}` : `/scrub/jobs/${orderId}`;
}
