import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api } from '../api/client.ts';
import styles from './Photo.module.css';

type PhotoProps = { readonly id: string; readonly alt: string; readonly className?: string | undefined };

/** A photo by its id. */
export const Photo = (photo: PhotoProps) => (
  <PhotoRead {...photo} read={(signal) => api.readFile({ params: { id: photo.id } }, { signal })} />
);

/** A small square photo, beside others. */
export const PhotoThumbnail = (photo: Omit<PhotoProps, 'className'>) => (
  <Photo {...photo} className={styles.thumbnail} />
);

/** A photo that is read with a token, because an address alone must not show it. */
export function PhotoRead({
  id,
  alt,
  className,
  read,
}: PhotoProps & { readonly read: (signal: AbortSignal) => Promise<Blob> }) {
  const { data, isError } = useQuery({
    queryKey: ['files', id],
    queryFn: ({ signal }) => read(signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const url = useObjectUrl(data);
  if (isError) return <span className={className}>This photo is not available.</span>;
  return url === undefined ? (
    <span className={className} aria-hidden="true" />
  ) : (
    <img src={url} alt={alt} className={className} />
  );
}

function useObjectUrl(blob: Blob | undefined): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!blob) return;
    const made = URL.createObjectURL(blob);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [blob]);
  return url;
}
