import type { BillingContact, Card, Payments } from './squareTypes.ts';

/** What placing an order needs from a card; the card data never reaches us. */
export type CardToken = { readonly paymentSourceId: string; readonly verificationToken?: string };

/** 'invalid': the card form shows what is wrong. 'unverified': the bank did not confirm the buyer. */
type TokenizeResult = CardToken | 'invalid' | 'unverified';

/** Turns the card form's input into a token for one payment of `dollars`. Never rejects. */
export async function tokenize(
  { payments, card }: { payments: Payments; card: Card },
  dollars: number,
  billingContact: BillingContact,
): Promise<TokenizeResult> {
  const source = await requestToken(card);
  if (source === undefined) return 'invalid';
  try {
    const verified = await payments.verifyBuyer(source, {
      amount: dollars.toFixed(2),
      currencyCode: 'USD',
      intent: 'CHARGE',
      billingContact,
    });
    return verified ? { paymentSourceId: source, verificationToken: verified.token } : { paymentSourceId: source };
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
