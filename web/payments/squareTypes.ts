// The part of Square's Web Payments SDK that we use. Its script is loaded from Square.

export type Square = { payments(applicationId: string, locationId: string): Payments };

export type Payments = {
  card(options: CardOptions): Promise<Card>;
  /** Null when the bank needs no verification. Rejects when the bank does not confirm the buyer. */
  verifyBuyer(source: string, details: ChargeDetails): Promise<{ readonly token: string } | null>;
};

export type Card = {
  attach(place: HTMLElement): Promise<void>;
  configure(options: CardOptions): Promise<void>;
  destroy(): Promise<boolean>;
  tokenize(): Promise<TokenResult>;
  addEventListener(type: 'submit', listener: () => void): void;
};

/** With `status` OK there is a token. */
type TokenResult = { readonly status: string; readonly token?: string; readonly errors?: readonly unknown[] };

/** Styles by Square's selectors, such as `input.is-error`. */
export type CardStyle = Readonly<Record<string, Readonly<Record<string, string>>>>;
export type CardOptions = { readonly style: CardStyle };

type ChargeDetails = {
  /** Dollars, such as `26.80`. */
  readonly amount: string;
  readonly currencyCode: 'USD';
  /** CHARGE_AND_STORE also saves the card for later payments. */
  readonly intent: 'CHARGE' | 'CHARGE_AND_STORE';
  readonly billingContact: BillingContact;
};

export type BillingContact = {
  readonly givenName?: string;
  readonly familyName?: string;
  readonly email?: string;
  readonly phone?: string;
  readonly addressLines?: readonly string[];
};
