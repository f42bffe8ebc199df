import { PRODUCT_NAME } from '../domain/identity.ts';

// Who the town is, as the server has written it into the page (server/http/townFiles.ts): known before any request.

const metaOf = (name: string): string | undefined =>
  typeof document === 'undefined'
    ? undefined
    : document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content;

/** The name of the town. */
export const TOWN_NAME = metaOf('application-name') ?? PRODUCT_NAME;

/** The picture of the town's logo; undefined for that of the product. */
export const TOWN_MARK = metaOf('town-mark');

/** Whether the town still has the name of the product. */
export const HAS_PRODUCT_NAME = TOWN_NAME === PRODUCT_NAME;
