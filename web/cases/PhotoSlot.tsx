import { useId } from 'react';
import styles from './Cases.module.css';

/**
 * Where photos are added to a report.
 * SEAM: with web/files this is `<PhotoPicker value={…} onChange={…} label={…} />`, with the same props.
 */
export function PhotoSlot({
  value,
  label,
}: {
  value: readonly string[];
  onChange: (fileIds: string[]) => void;
  label: string;
}) {
  const hint = useId();
  return (
    <fieldset className={styles.photos} aria-describedby={hint} data-field="fileIds" tabIndex={-1}>
      <legend>{label}</legend>
      <p id={hint} className="quiet">
        {value.length} photos
      </p>
    </fieldset>
  );
}
