import type { BillingContact, Card, Payments } from './squareTypes.ts';

/** What paying needs from a card: a token of the card form, or the id of a saved card. The card data never reaches us. */
export type PaymentSource = {
  readonly paymentSourceId: string;
  readonly verificationToken?: string;
  /** The Bud agrees that the card is saved. */
  readonly saveCard?: true;
};

/** 'invalid': the card form shows what is wrong. 'unverified': the bank did not confirm the buyer. */
type TokenizeResult = PaymentSource | 'invalid' | 'unverified';

type Payment = { readonly dollars: number; readonly billingContact: BillingContact; readonly saveCard: boolean };

/** Turns the card form's input into a token for one payment. Never rejects. */
export async function tokenize(
  { payments, card }: { payments: Payments; card: Card },
  { dollars, billingContact, saveCard }: Payment,
): Promise<TokenizeResult> {
  const source = await requestToken(card);
  if (source === undefined) return 'invalid';
  try {
    const verified = await payments.verifyBuyer(source, {
      amount: dollars.toFixed(2),
      currencyCode: 'USD',
      intent: saveCard ? 'CHARGE_AND_STORE' : 'CHARGE',
      billingContact,
    });
    return {
      paymentSourceId: source,
      ...(verified ? { verificationToken: verified.token } : {}),
      ...(saveCard ? { saveCard } : {}),
    };
  } catch (error) {
    console.warn('The buyer was not verified', error);
    return 'unverified';
  }
}

// spec 8: tokenization failures are only logged.
async function requestToken(card: Card): Promise<string | undefined> {
  try {
    const result = await card.tokenize();
    if (result.status === 'OK') return result.token;
    console.warn('The card was not tokenized', result);
  } catch (error) {
    console.warn('The card was not tokenized', error);
  }
  return undefined;
}

/** The billing contact in the SDK's format. */
export function billingContactOf(
  user: { readonly fullname: string; readonly email: string; readonly phone: string | null },
  address: string | undefined,
): BillingContact {
  const [givenName = '', ...rest] = user.fullname.trim().split(/\s+/);
  return {
    givenName,
    ...(rest.length > 0 ? { familyName: rest.join(' ') } : {}),
    email: user.email,
    ...(user.phone ? { phone: user.phone } : {}),
    ...(address ? { addressLines: [address] } : {}),
  };
}
