import { useQuery } from '@tanstack/react-query';
import { useObjectUrl } from '../../files/Photo.tsx';
import { operatorApi } from '../operatorApi.ts';
import styles from './OrderPage.module.css';

/** A photo of a step. It is read with the token, because an address alone must not show it. */
export function TownPhoto({ id, alt }: { id: string; alt: string }) {
  const { data, isError } = useQuery({
    queryKey: ['photo', id],
    queryFn: ({ signal }) => operatorApi.readTownFile({ params: { id } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const url = useObjectUrl(data);
  if (isError) return <p className="quiet">This photo is not available.</p>;
  return url === undefined ? null : <img src={url} alt={alt} className={styles.photo} />;
}
