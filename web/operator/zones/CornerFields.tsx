import { Button, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { Point } from '../../../domain/places.ts';
import { type Corners, circleAround, findAreaProblem } from '../../../domain/zones.ts';
import { SearchBox } from '../../places/SearchBox.tsx';
import { NumberField } from '../../ui/NumberField.tsx';
import { readNumber } from '../../ui/typedNumber.ts';
import { describeCorners, formatCorners, parseCorners } from '../cornerTexts.ts';
import { LazyZoneMap } from './LazyZoneMap.tsx';
import styles from './Zones.module.css';

const NO_CORNER = 'One corner a line: latitude, longitude';
const MAX_KM = 50;

/** The corners of a zone while they are drawn or typed. */
export function useCornerDraft(start: Corners) {
  const [text, setText] = useState(() => formatCorners(start));
  const [circles, setCircles] = useState(0);
  const corners = parseCorners(text);
  const set = (changed: Corners) => setText(formatCorners(changed));
  return {
    ...{ text, setText, set, circles },
    corners: corners ?? [],
    /** What is wrong with them; undefined when they can be sent. */
    problem: corners ? findAreaProblem(corners) : NO_CORNER,
    isChanged: text.trim() !== formatCorners(start),
    setCircle: (circle: Corners) => {
      set(circle);
      setCircles(circles + 1);
    },
  };
}
type CornerDraft = ReturnType<typeof useCornerDraft>;

type CornerMapProps = {
  readonly draft: CornerDraft;
  readonly others: readonly Corners[];
  /** Where the town is. */
  readonly near: readonly Point[];
  readonly mayChange: boolean;
};

/** The map of a zone: it begins again around a new circle, which may be anywhere, and when the places of the town have loaded. */
export function CornerMap({
  draft: { corners, circles, text, set, setText },
  others,
  near,
  mayChange,
}: CornerMapProps) {
  return (
    <div className={styles.mapSide}>
      <LazyZoneMap
        key={`${circles} ${near.length}`}
        {...{ others, corners, near }}
        {...(mayChange ? { onChange: set } : {})}
      />
      {mayChange && (
        <div className="buttons">
          <Button variant="default" disabled={corners.length === 0} onClick={() => set(corners.slice(0, -1))}>
            Undo Last Corner
          </Button>
          <Button variant="default" disabled={text === ''} onClick={() => setText('')}>
            Clear
          </Button>
        </div>
      )}
    </div>
  );
}

type CornerFieldsProps = Pick<CornerMapProps, 'draft' | 'near'> & { readonly error: string | undefined };

/** The corners of a zone beside its map: as a circle around an address, or typed. */
export function CornerFields({
  draft: { text, setText, corners, problem, setCircle },
  near,
  error,
}: CornerFieldsProps) {
  return (
    <>
      <CircleFields near={near} onCircle={setCircle} />
      <Textarea
        label="Corners"
        description={corners.length > 1 ? describeCorners(corners) : NO_CORNER}
        rows={4}
        value={text}
        error={(text.trim() === '' ? undefined : problem) ?? error}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </>
  );
}

/** Around an address that is found, in place of the corners that are there. */
function CircleFields({ near: [first], onCircle }: { near: readonly Point[]; onCircle: (corners: Corners) => void }) {
  const [km, setKm] = useState('1');
  const radius = readNumber(km, 'decimal') ?? 0;
  const isRadius = radius > 0 && radius <= MAX_KM;
  return (
    <div className={styles.fields}>
      <NumberField
        kind="decimal"
        label="Circle, radius in km"
        value={km}
        error={isRadius ? undefined : `More than 0, and at most ${MAX_KM}`}
        onChange={(event) => setKm(event.currentTarget.value)}
      />
      <SearchBox
        near={{ lat: first?.latitude ?? 0, lng: first?.longitude ?? 0 }}
        onPick={async (found) => {
          const place = await found;
          if (!place || !isRadius) return;
          const [longitude, latitude] = place.geometry.coordinates;
          onCircle(circleAround({ latitude, longitude }, radius));
        }}
      />
    </div>
  );
}
