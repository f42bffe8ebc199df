import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from 'react-router';
import type { Order } from '../../../contract/orders.ts';
import { NEARBY_SCRUB_FIELDS } from '../../../contract/screenFields.ts';
import { NEARBY_RADIUS_M } from '../../../domain/places.ts';
import { api } from '../../api/client.ts';
import { reportPath } from '../../cases/caseQueries.ts';
import { reportableOf } from '../../cases/reportTime.ts';
import { useUser } from '../../session/session.ts';
import { Icon } from '../../ui/icons.tsx';
import { toast } from '../../ui/toast.tsx';
import { repeatOrder, resolveStep } from '../place/orderDraft.ts';
import { storeDraft } from '../place/useOrderDraft.ts';
import styles from './OrderLinks.module.css';

/** Leads to the report of a problem, once the laundry is back, or lost. */
export function ReportLink({ order }: { order: Order }) {
  if (reportableOf(order, new Date()).kinds.length === 0) return null;
  return (
    <Link className={styles.link} to={reportPath(order.id)}>
      Report a problem
    </Link>
  );
}

const findNearby = (addressId: string) =>
  api.findScrubsNearby({
    query: { addressId, maxDistanceMeters: String(NEARBY_RADIUS_M), fields: NEARBY_SCRUB_FIELDS },
  });

/** Opens the wizard with the choices of this order, at the first one that is open. The wizard checks them as always. */
export function OrderAgainButton({ order }: { order: Order }) {
  const user = useUser();
  const navigate = useNavigate();
  const again = useMutation({
    mutationFn: async () => {
      const addressIds = user.addresses.map(({ id }) => id);
      const { id } = order.budAddress;
      // Without an answer the wizard opens at the choice of a Scrub, which searches again.
      const near = addressIds.includes(id) ? await findNearby(id).catch(() => undefined) : [];
      return { draft: repeatOrder(order, { addressIds, near: near ?? [] }), isSearched: near !== undefined };
    },
    onSuccess: ({ draft, isSearched }) => {
      storeDraft(user.id, draft);
      if (draft.addressId === undefined)
        toast.info('Choose an address', { description: 'This one is no longer yours.' });
      else if (draft.scrub === undefined && isSearched)
        toast.info('Choose another Scrub', {
          description: `${order.scrub.fullname} is not among the Scrubs near this address now.`,
        });
      navigate(`/bud/place-order?step=${resolveStep(draft, '3')}`);
    },
  });
  return (
    <Button
      variant="default"
      leftSection={<Icon name="refresh" size={18} />}
      loading={again.isPending}
      onClick={() => again.mutate()}
    >
      Order again
    </Button>
  );
}
