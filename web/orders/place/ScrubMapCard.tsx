import type { Address } from '../../../contract/places.ts';
import { useHasCards } from '../../hooks/breakpoints.ts';
import { useOffline } from '../../hooks/useOffline.ts';
import { hasWebGL } from '../../places/webgl.ts';
import { lazyPart } from '../../ui/lazyPart.tsx';
import type { ChangeDraft, OrderDraft } from './orderDraft.ts';
import styles from './ScrubMapCard.module.css';
import { chooseScrub, useNearbyScrubs } from './useNearbyScrubs.ts';

const ScrubMap = lazyPart('The map', async () => (await import('./ScrubMap.tsx')).ScrubMap);

type ScrubMapCardProps = { draft: OrderDraft; change: ChangeDraft; address: Address };

/** Where the found Scrubs are, beside the list of them, where there is room for both and a map can be drawn. */
export function ScrubMapCard(props: ScrubMapCardProps) {
  const isNarrow = useHasCards();
  const isOffline = useOffline();
  if (isNarrow || isOffline || !hasWebGL()) return null;
  return <FoundScrubs {...props} />;
}

function FoundScrubs({ draft, change, address }: ScrubMapCardProps) {
  const { data: found } = useNearbyScrubs(address.id);
  if (!found || found.length === 0) return null;
  return (
    <section className={styles.card} aria-label="Scrubs on the map">
      <ScrubMap
        // Other Scrubs are another map: it starts where all of them are in view.
        key={found.map(({ scrub }) => scrub.id).join()}
        home={address}
        found={found}
        chosenId={draft.scrub?.id}
        onChoose={(near) => change(chooseScrub(near))}
      />
    </section>
  );
}
