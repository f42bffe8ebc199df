import { TextInput } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { MAX_PHOTOS_OF_SCALE } from '../../domain/weighing.ts';
import { PhotoPicker } from '../files/PhotoPicker.tsx';
import { formatKg, parsePounds } from './pounds.ts';
import styles from './Weighing.module.css';

type WeighFieldsProps = {
  readonly pounds: string;
  readonly onPounds: (typed: string) => void;
  readonly fileIds: readonly string[];
  readonly onFileIds: (fileIds: readonly string[]) => void;
  /** How often it was submitted. Each time the first field with an error gets the focus. */
  readonly attempts: number;
};

const NO_WEIGHT = 'Type what the scale shows, in pounds';
const NO_PHOTO = 'Please take a photo of the display';

/** A weight as people type it, and a photo of the display. */
export function WeighFields({ pounds, onPounds, fileIds, onFileIds, attempts }: WeighFieldsProps) {
  const weight = useRef<HTMLInputElement>(null);
  const photos = useRef<HTMLFieldSetElement>(null);
  const grams = parsePounds(pounds);
  const hasPhoto = fileIds.length > 0;
  useEffect(() => {
    if (attempts === 0) return;
    if (grams === undefined) weight.current?.focus();
    else if (!hasPhoto) photos.current?.focus();
  }, [attempts]);
  return (
    <>
      <TextInput
        ref={weight}
        label="Weight in pounds"
        name="pounds"
        size="lg"
        inputMode="decimal"
        autoComplete="off"
        maxLength={12}
        className={styles.pounds ?? ''}
        description={grams === undefined ? 'As the scale shows it, like 5.3' : `That is ${formatKg(grams)}`}
        value={pounds}
        error={attempts > 0 && grams === undefined ? NO_WEIGHT : undefined}
        onChange={(event) => onPounds(event.currentTarget.value)}
      />
      <PhotoPicker
        ref={photos}
        label="Photo of the display"
        value={fileIds}
        onChange={onFileIds}
        max={MAX_PHOTOS_OF_SCALE}
        error={attempts > 0 && !hasPhoto ? NO_PHOTO : undefined}
      />
    </>
  );
}
