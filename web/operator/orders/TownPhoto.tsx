import { PhotoRead } from '../../files/Photo.tsx';
import { operatorApi } from '../operatorApi.ts';
import styles from './OrderPage.module.css';

/** A photo of a step, read with the operator's token. */
export function TownPhoto({ id, alt }: { id: string; alt: string }) {
  const read = (signal: AbortSignal) => operatorApi.readTownFile({ params: { id } }, { signal });
  return <PhotoRead id={id} alt={alt} className={styles.photo} read={read} />;
}
