import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Zone } from '../../../contract/operator/zones.ts';
import { MAX_ZONE_NAME } from '../../../domain/zones.ts';
import { ActButton } from '../ActButton.tsx';
import { ActFormButton } from '../ActFormButton.tsx';
import { formatCorners, parseCorners } from '../cornerTexts.ts';
import { operatorApi } from '../operatorApi.ts';
import { areaProblemOf, CornerFields } from './CornerFields.tsx';

type ActProps = { readonly zones: readonly Zone[] };

/** The places of Scrubs, to begin a map with. */
function useTownPlaces() {
  const { data } = useQuery({
    queryKey: ['town-map'],
    queryFn: ({ signal }) => operatorApi.readTownMap({}, { signal }),
  });
  return data ? [...data.scrubs, ...data.deliveries] : [];
}

const othersOf = (zones: readonly Zone[], id?: string) =>
  zones.flatMap((zone) => (zone.corners && zone.id !== id ? [zone.corners] : []));

export function FromField({
  value,
  error,
  onChange,
}: {
  value: string;
  error: string | undefined;
  onChange: (date: string) => void;
}) {
  return (
    <TextInput
      label="From (tomorrow, if it is empty)"
      type="date"
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

export const dayOf = (from: string) => (from === '' ? {} : { from });

export function AddZoneButton({ zones }: ActProps) {
  const [name, setName] = useState('');
  const [text, setText] = useState('');
  const [from, setFrom] = useState('');
  const near = useTownPlaces();
  return (
    <ActButton
      label="Add…"
      title="A zone with prices of its own"
      button="Ask for Approval"
      done="The zone is added"
      size="lg"
      isReady={name.trim() !== '' && areaProblemOf(text) === undefined}
      onOpen={() => {
        setName('');
        setText('');
        setFrom('');
      }}
      run={(reason, idempotencyKey) =>
        operatorApi.addZone({
          body: { name, corners: parseCorners(text) ?? [], reason, ...dayOf(from) },
          idempotencyKey,
        })
      }
    >
      {(errors) => (
        <>
          <TextInput
            label="Name"
            maxLength={MAX_ZONE_NAME}
            value={name}
            error={errors.name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <CornerFields {...{ text, near }} onChange={setText} others={othersOf(zones)} error={errors.corners} />
          <FromField value={from} error={errors.from} onChange={setFrom} />
        </>
      )}
    </ActButton>
  );
}

export function DrawZoneButton({ zone, zones }: ActProps & { zone: Zone }) {
  const current = zone.nextAreas.at(-1)?.corners ?? zone.corners ?? [];
  const [text, setText] = useState('');
  const [from, setFrom] = useState('');
  return (
    <ActButton
      label="Draw…"
      title={`Where is ${zone.name}?`}
      button="Ask for Approval"
      done={`${zone.name} was redrawn`}
      size="lg"
      isReady={areaProblemOf(text) === undefined}
      onOpen={() => {
        setText(formatCorners(current));
        setFrom('');
      }}
      run={(reason, idempotencyKey) =>
        operatorApi.drawZone({
          params: { id: zone.id },
          body: { corners: parseCorners(text) ?? [], reason, ...dayOf(from) },
          idempotencyKey,
        })
      }
    >
      {(errors) => (
        <>
          <CornerFields
            {...{ text, near: current }}
            onChange={setText}
            others={othersOf(zones, zone.id)}
            error={errors.corners}
          />
          <FromField value={from} error={errors.from} onChange={setFrom} />
        </>
      )}
    </ActButton>
  );
}

export const EndZoneButton = ({ zone: { id, name } }: { zone: Zone }) => (
  <ActFormButton act="drawZone" name={name} params={{ id }} body={{ corners: null }} />
);
