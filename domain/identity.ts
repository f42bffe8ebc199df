import type { Color } from './colors.ts';

/** The name and the data of a town, as the people who use it read them. Fields that are null are not shown. */
export type Identity = {
  readonly name: string;
  /** The colour of buttons and links. */
  readonly color: Color;
  /** Who runs the town, as their contracts and receipts name them. */
  readonly legalName: string | null;
  readonly address: string | null;
  readonly taxNumber: string | null;
  /** Null for that of the configuration. */
  readonly supportEmail: string | null;
  readonly phone: string | null;
};

/** The name of the product, which a town has until it gives itself another one. */
export const PRODUCT_NAME = 'Rubadub';

export const DEFAULT_IDENTITY: Identity = {
  name: PRODUCT_NAME,
  color: '#0b6e8b',
  legalName: null,
  address: null,
  taxNumber: null,
  supportEmail: null,
  phone: null,
};

/** `a Rubadub`, `an Avon Laundry`. */
export const withArticle = (name: string): string => `${/^[aeiou]/i.test(name) ? 'an' : 'a'} ${name}`;

/** A logo, as the server has written it again. */
export type Logo = { readonly type: 'image/jpeg'; readonly base64: string };

/** Of the picture that is sent: as base64 it fits into a request. */
export const LOGO_MAX_BYTES = 40_000;
/** The longer side of a logo. */
export const LOGO_MAX_SIDE = 512;

/** What mails, receipts and the terms say about who runs the town, line by line. */
export const legalLines = ({
  legalName,
  address,
  taxNumber,
}: Pick<Identity, 'legalName' | 'address' | 'taxNumber'>): readonly string[] => [
  ...(legalName === null ? [] : [legalName]),
  ...(address === null ? [] : address.split('\n')),
  ...(taxNumber === null ? [] : [`Tax number ${taxNumber}`]),
];
