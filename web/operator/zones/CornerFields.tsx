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

type CornerFieldsProps = {
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly others: readonly Corners[];
  /** Where the town is. */
  readonly near: readonly Point[];
  readonly error: string | undefined;
};

/** What is wrong with the corners of a text; undefined when they can be sent. */
export function areaProblemOf(text: string): string | undefined {
  const corners = parseCorners(text);
  return corners ? findAreaProblem(corners) : NO_CORNER;
}

/** The corners of a zone: drawn on the map, as a circle around an address, or typed. */
export function CornerFields({ text, onChange, others, near, error }: CornerFieldsProps) {
  const corners = parseCorners(text) ?? [];
  const set = (changed: Corners) => onChange(formatCorners(changed));
  // A circle may be anywhere: the map begins again around it.
  const [circles, setCircles] = useState(0);
  const problem = text.trim() === '' ? undefined : areaProblemOf(text);
  return (
    <>
      <p>Tap the map to add corners along the edge, one after the other. Drag a corner to move it.</p>
      <LazyZoneMap key={circles} others={others} corners={corners} near={near} onChange={set} />
      <div className="buttons">
        <Button variant="default" disabled={corners.length === 0} onClick={() => set(corners.slice(0, -1))}>
          Undo Last Corner
        </Button>
        <Button variant="default" disabled={text === ''} onClick={() => onChange('')}>
          Clear
        </Button>
      </div>
      <CircleFields
        near={near}
        onCircle={(circle) => {
          set(circle);
          setCircles(circles + 1);
        }}
      />
      <Textarea
        label="Corners"
        description={corners.length > 1 ? describeCorners(corners) : NO_CORNER}
        rows={4}
        value={text}
        error={problem ?? error}
        onChange={(event) => onChange(event.currentTarget.value)}
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
