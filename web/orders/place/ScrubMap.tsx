import { Marker } from 'react-map-gl/maplibre';
import type { Point } from '../../../domain/places.ts';
import { BaseMap } from '../../places/BaseMap.tsx';
import { boundsOf } from '../../places/mapBounds.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Icon } from '../../ui/icons.tsx';
import styles from './ScrubMapCard.module.css';
import type { FoundScrub } from './useNearbyScrubs.ts';

const FIT = { padding: { top: 40, bottom: 40, left: 40, right: 72 }, maxZoom: 15 };

type ScrubMapProps = {
  home: Point;
  found: readonly FoundScrub[];
  chosenId: string | undefined;
  onChoose: (near: FoundScrub) => void;
};

/** The address and the Scrubs around it. A click on one chooses it; the list beside it is the way for everybody. */
export function ScrubMap({ home, found, chosenId, onChoose }: ScrubMapProps) {
  return (
    <BaseMap
      initialViewState={{ bounds: boundsOf([home, ...found.map(({ address }) => address)]), fitBoundsOptions: FIT }}
      cooperativeGestures
    >
      <Marker longitude={home.longitude} latitude={home.latitude}>
        <div className="pin pin-flat" role="img" aria-label="Your address">
          <Icon name="home" size={16} />
        </div>
      </Marker>
      {found.map((near) => (
        <ScrubPin key={near.scrub.id} near={near} isChosen={near.scrub.id === chosenId} onChoose={onChoose} />
      ))}
    </BaseMap>
  );
}

type ScrubPinProps = { near: FoundScrub; isChosen: boolean; onChoose: (near: FoundScrub) => void };

function ScrubPin({ near, isChosen, onChoose }: ScrubPinProps) {
  const { scrub, address } = near;
  return (
    <Marker
      longitude={address.longitude}
      latitude={address.latitude}
      style={{ zIndex: isChosen ? 1 : 0 }}
      onClick={() => onChoose(near)}
    >
      <div
        className={isChosen ? `${styles.scrub} ${styles.chosen}` : styles.scrub}
        role="img"
        aria-label={scrub.fullname}
        title={scrub.fullname}
      >
        <Avatar name={scrub.fullname} size={32} />
      </div>
    </Marker>
  );
}
