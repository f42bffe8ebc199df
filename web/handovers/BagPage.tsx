import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import type { Role } from '../../domain/accounts.ts';
import { readBagCode } from '../../domain/handovers.ts';
import { withArticle } from '../../domain/identity.ts';
import { api } from '../api/client.ts';
import { useSession } from '../session/session.ts';
import { TOWN_NAME } from '../town.ts';
import { AuthMessage, AuthPage } from '../ui/AuthPage.tsx';
import { QueryError } from '../ui/ErrorState.tsx';
import { isNotFound } from '../ui/errorMessage.ts';
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
  const isUnknown = code === undefined || isNotFound(bag.error);
  return (
    <AuthPage tab="Bag">
      {!isUnknown && bag.isPending && <Skeleton height={180} />}
      {!isUnknown && bag.isError && <QueryError query={bag} title="Unable To Look Up The Bag" level={1} />}
      {isUnknown && (
        <AuthMessage icon={<Icon name="alert" size={44} color="var(--danger)" />} title="Unknown Bag">
          <p>No bag has this code. Check the six characters on the tag.</p>
        </AuthMessage>
      )}
      {bag.data && (
        <AuthMessage icon={<Icon name="box" size={44} color="var(--link)" />} title={`Bag ${bag.data.code}`}>
          {own && user ? (
            <>
              <p>{bagText(user.role, own.n)}</p>
              <Button component={Link} to={orderPath(user.role, own)}>
                {OPEN_TEXTS[user.role]}
              </Button>
            </>
          ) : (
            <p>
              {capitalized(withArticle(TOWN_NAME))} bag. Found it? Write to{' '}
              <a href={`mailto:${bag.data.supportEmail}`}>{bag.data.supportEmail}</a>
              {bag.data.supportPhone && (
                <>
                  {' '}
                  or call <a href={`tel:${bag.data.supportPhone}`}>{bag.data.supportPhone}</a>
                </>
              )}{' '}
              and say this code. We tell its owner.
            </p>
          )}
        </AuthMessage>
      )}
    </AuthPage>
  );
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const WHOSE: Record<Role, string> = { Bud: 'your order', Scrub: 'your job', Duber: 'your delivery' };
const OPEN_TEXTS: Record<Role, string> = { Bud: 'Open the order', Scrub: 'Open the job', Duber: 'Open the delivery' };

/** What a bag is for one of the people who handle it. */
export const bagText = (role: Role, n: number): string => `Bag ${n} of ${WHOSE[role]}.`;

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
