import { TextInput } from '@mantine/core';
import { MAX_PHOTOS_OF_SCALE } from '../../../domain/weighing.ts';
import { PhotoPicker } from '../../files/PhotoPicker.tsx';
import { formatKg, parsePounds } from './pounds.ts';
import styles from './Weighing.module.css';

type WeighFieldsProps = {
  readonly pounds: string;
  readonly onPounds: (typed: string) => void;
  readonly fileIds: readonly string[];
  readonly onFileIds: (fileIds: readonly string[]) => void;
  readonly photoLabel: string;
  readonly errors: { readonly pounds?: string | undefined; readonly fileIds?: string | undefined };
};

/** A weight as people type it, and a photo of the display. */
export function WeighFields({ pounds, onPounds, fileIds, onFileIds, photoLabel, errors }: WeighFieldsProps) {
  const grams = parsePounds(pounds);
  return (
    <>
      <TextInput
        label="Weight in pounds"
        name="pounds"
        size="lg"
        inputMode="decimal"
        autoComplete="off"
        maxLength={12}
        className={styles.pounds ?? ''}
        description={grams === undefined ? 'As the scale shows it, like 5.3' : `That is ${formatKg(grams)}`}
        value={pounds}
        error={errors.pounds}
        onChange={(event) => onPounds(event.currentTarget.value)}
      />
      <PhotoPicker label={photoLabel} value={fileIds} onChange={onFileIds} max={MAX_PHOTOS_OF_SCALE} />
      {errors.fileIds && (
        <p role="alert" className={styles.error}>
          {errors.fileIds}
        </p>
      )}
    </>
  );
}
