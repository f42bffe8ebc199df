import { PhotoPicker } from '../files/PhotoPicker.tsx';
import styles from './Cases.module.css';

/** The photos of a report or of an answer, as a field of its form. */
export function PhotoSlot({
  label,
  value,
  error,
  onChange,
}: {
  label: string;
  value: readonly string[];
  error: string | undefined;
  onChange: (fileIds: string[]) => void;
}) {
  return (
    <div className={styles.photos} data-field="fileIds" tabIndex={-1}>
      <PhotoPicker label={label} value={value} onChange={onChange} />
      {error && (
        <p className={styles.error} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
